import { amount, calculated, cart, including, products, units, voucher } from '../calculation.fixture';
import type { ScopedItem } from '../scoping/item-scope';

describe('sources of a replacement (reference 01 §6, §7)', () => {
  const records = {
    products: [
      { id: 'plain', collections: ['pc_mugs'] },
      { id: 'fine', collections: ['pc_mugs'], price: 1000 },
      { id: 'rough', collections: ['pc_mugs'] },
    ],
  };
  const lines = cart(
    {
      items: [{ product_id: 'fine' }, { product_id: 'plain', price: 800, quantity: 2 }],
    },
    { records },
  );
  const upgrade = (limits: Partial<ScopedItem>, discount = units('REPLACE_ITEMS', 1, 'fine')) =>
    voucher(
      'UP',
      { discount },
      { scope: including({ object: 'products_collection', id: 'pc_mugs', ...limits }) },
    );
  const quantities = (limits: Partial<ScopedItem>) =>
    calculated(lines, [upgrade(limits)]).order?.items.map(({ quantity }) => quantity);

  test('lines of the target use up no limit', () => {
    expect(quantities({ aggregated_quantity_limit: 1 })).toEqual([2, 1]);
    expect(quantities({ aggregated_quantity_limit: 2 })).toEqual([3, 0]);
  });

  test('nor are they numbered', () => {
    expect(quantities({ target: 'UNIT', skip_initially: 1 })).toEqual([2, 1]);
  });

  test('nor do they count for budgets', () => {
    const calculation = calculated(lines, [upgrade({ product_campaign_quantity_limit: 2 })]);
    expect(calculation.order?.items.map(({ quantity }) => quantity)).toEqual([3, 0]);
    expect(calculation.consumption.units.map((one) => one.units)).toEqual([2]);
  });

  test('products that are closed are none either (reference 01 §10)', () => {
    const items = [
      { product_id: 'plain', price: 800 },
      { product_id: 'rough', price: 700 },
      { product_id: 'fine' },
    ];
    const off = voucher(
      'OFF',
      { discount: amount(100, { effect: 'APPLY_TO_ITEMS' }) },
      { scope: including(...products('plain')) },
    );
    const calculation = calculated(
      cart({ items }, { records }),
      [off, upgrade({ aggregated_quantity_limit: 1 })],
      { redeemables_products_application_mode: 'ONCE' },
    );
    expect(calculation.order?.items.map(({ quantity }) => quantity)).toEqual([1, 0, 2]);
  });

  test('without an order, or with nothing that replaces, nothing is looked for', () => {
    expect(calculated(null, [upgrade({})])).toMatchObject({ valid: true, order: null });
    const nothing = { type: 'UNIT', effect: 'REPLACE_ITEMS', unit_off: 1 } as const;
    expect(calculated(lines, [upgrade({}, nothing)]).order?.items).toEqual(
      calculated(lines, []).order?.items,
    );
  });
});
