import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixtureProblems } from './fixtures';
import { type Upcasters, newestSchemaVersion, upcast } from './upcasting';

const upcasters: Upcasters = {
  TicketIssued: [
    ({ quantity, ...data }) => ({ ...data, limit: quantity }),
    (data) => ({ ...data, code: String(data.code).toUpperCase() }),
  ],
};

describe('upcast', () => {
  it.each([
    [1, { code: 'a', quantity: 2 }, { code: 'A', limit: 2 }],
    [2, { code: 'a', limit: 2 }, { code: 'A', limit: 2 }],
    [3, { code: 'A', limit: 2 }, { code: 'A', limit: 2 }],
    [4, { code: 'a', of: 'a newer release' }, { code: 'a', of: 'a newer release' }],
  ])('brings version %i to the newest', (version, data, newest) => {
    expect(upcast(upcasters, 'TicketIssued', version, data)).toEqual(newest);
  });

  it('leaves events alone that have no upcasters', () => {
    expect(upcast(upcasters, 'TicketTaken', 1, { by: 'ann' })).toEqual({ by: 'ann' });
    expect(upcast(undefined, 'TicketTaken', 1, { by: 'ann' })).toEqual({ by: 'ann' });
  });

  it('counts versions from 1', () => {
    expect(newestSchemaVersion(upcasters, 'TicketIssued')).toBe(3);
    expect(newestSchemaVersion(upcasters, 'TicketTaken')).toBe(1);
  });
});

describe('fixtureProblems', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fixtures-'));
    freeze('ticket-issued.v1', 1, { code: 'a', quantity: 2 }, { code: 'A', limit: 2 });
    freeze('ticket-issued.v2', 2, { code: 'a', limit: 2 }, { code: 'A', limit: 2 });
    freeze('ticket-issued.v3', 3, { code: 'A', limit: 2 });
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const freeze = (
    file: string,
    schema_version: number,
    data: object,
    newest?: object,
    type = 'TicketIssued',
  ) => writeFileSync(join(folder, `${file}.json`), JSON.stringify({ type, schema_version, data, newest }));

  it('finds none in fixtures of every version that become what they should', () => {
    expect(fixtureProblems(folder, ['TicketIssued'], upcasters)).toEqual([]);
  });

  it('finds a changed upcaster, a forgotten fixture, and fixtures of nothing', () => {
    freeze('ticket-issued.v2', 2, { code: 'a', limit: 2 }, { code: 'a', limit: 2 });
    freeze('ticket-issued.v4', 4, { code: 'A' });
    freeze('other.v1', 1, {}, {}, 'Other');
    expect(fixtureProblems(folder, ['TicketIssued', 'TicketTaken'], upcasters)).toEqual([
      'other.v1.json: Other is no event of this aggregate',
      'ticket-issued.v2.json: upcasts to something else',
      'ticket-issued.v4.json: newer than the newest version',
      'TicketTaken: no fixture of version 1',
    ]);
  });
});
