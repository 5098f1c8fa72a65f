import type { Upcasters } from '@scrip/kernel';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FrozenEvents } from './frozen-events';

interface TicketIssued {
  type: 'TicketIssued' | 'TicketTaken' | 'Other';
  data: object;
}

const upcasters: Upcasters = {
  TicketIssued: [({ quantity, ...data }) => ({ ...data, limit: quantity })],
};

describe('frozen events', () => {
  let folder: string;

  const freeze = (type: string, schema_version: number, data: object) =>
    writeFileSync(
      join(folder, `${type}.v${schema_version}.json`),
      JSON.stringify({ type, schema_version, data }),
    );
  const events = () =>
    new FrozenEvents<object, TicketIssued>(folder, {
      upcasters,
      evolve: (state, { data }) => ({ ...state, ...data }),
    });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fixtures-'));
    freeze('TicketIssued', 1, { code: 'A', quantity: 2 });
    freeze('TicketIssued', 2, { code: 'A', limit: 2 });
    writeFileSync(join(folder, 'key.json'), '"not an event"');
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('have no problem where each version of each type is there', () => {
    expect(events().problems(['TicketIssued'])).toEqual([]);
  });

  it('tell a version that was forgotten, one that nobody wrote, and a type of nobody', () => {
    rmSync(join(folder, 'TicketIssued.v1.json'));
    freeze('TicketIssued', 3, {});
    freeze('Other', 1, {});
    expect(events().problems(['TicketIssued', 'TicketTaken'])).toEqual([
      'missing: TicketIssued of version 1',
      'missing: TicketTaken of version 1',
      'unknown: Other of version 1',
      'unknown: TicketIssued of version 3',
    ]);
  });

  it('fold to the state of the newest version, and to none where one is not there', () => {
    expect(events().folded('TicketIssued')).toEqual({ code: 'A', limit: 2 });
    expect(() => events().folded('TicketIssued', 'TicketTaken')).toThrow('no event TicketTaken was stored');
  });
});
