import { after, order } from './units.fixture';

const entry = (effect: 'ADD_NEW_ITEMS' | 'ADD_MISSING_ITEMS', unitOff: number, unitType: string) => ({
  effect,
  unit_off: unitOff,
  unit_type: unitType,
});
const addMany = (...units: ReturnType<typeof entry>[]) => ({ effect: 'ADD_MANY_ITEMS' as const, units });

describe('ADD_MANY_ITEMS (reference 01 §7)', () => {
  test('each entry finds what the entries before it left', () => {
    const state = order([{ product_id: 'prod_mug', quantity: 2 }]);
    const given = after(
      state,
      addMany(entry('ADD_MISSING_ITEMS', 2, 'prod_mug'), entry('ADD_MISSING_ITEMS', 1, 'prod_mug')),
    );
    expect(given.lines[0]).toMatchObject({ quantity: 3, freeQuantity: 3, discountAmount: 3000 });
  });

  test('lines that entries append follow each other', () => {
    const given = after(
      order([]),
      addMany(
        entry('ADD_NEW_ITEMS', 1, 'prod_mug'),
        entry('ADD_MISSING_ITEMS', 2, 'prod_hat'),
        entry('ADD_NEW_ITEMS', 1, 'prod_mug'),
      ),
    );
    expect(given.lines.map(({ identity, quantity }) => [identity.productId, quantity])).toEqual([
      ['prod_mug', 2],
      ['prod_hat', 2],
    ]);
    expect(given.amount).toBe(8200);
  });

  test('bundles multiply every entry', () => {
    const given = after(
      order([]),
      addMany(entry('ADD_NEW_ITEMS', 1, 'prod_mug'), entry('ADD_MISSING_ITEMS', 2, 'prod_hat')),
      { times: 2 },
    );
    expect(given.lines.map(({ quantity }) => quantity)).toEqual([2, 4]);
  });

  test('without entries, or with entries of nothing, there is no effect', () => {
    const state = order([{ product_id: 'prod_mug' }]);
    expect(after(state, { effect: 'ADD_MANY_ITEMS' })).toBe(state);
    expect(after(state, addMany(entry('ADD_NEW_ITEMS', 0, 'prod_mug')))).toBe(state);
  });
});
