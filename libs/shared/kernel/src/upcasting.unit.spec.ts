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
