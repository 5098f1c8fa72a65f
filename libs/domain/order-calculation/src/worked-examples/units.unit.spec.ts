import { calculated, cart, including, item, redeemables, units, voucher } from '../calculation.fixture';
import type { Discount } from '../discount';
import type { CalculatedOrder, OrderItemInput } from '../order/order';
import type { ScopedItem } from '../scoping/item-scope';
import { catalogue, fineShirt, order as orderOf, threeBottles, threeShirts } from '../units/units.fixture';

describe('free units (reference 01 §11)', () => {
  test.each<[how: string, discounts: Discount[]]>([
    ['one after the other', [units('ADD_MISSING_ITEMS', 1, 'first'), units('ADD_NEW_ITEMS', 1, 'second')]],
    [
      'as one discount',
      [
        {
          type: 'UNIT',
          effect: 'ADD_MANY_ITEMS',
          units: [
            { effect: 'ADD_MISSING_ITEMS', unit_off: 1, unit_type: 'first' },
            { effect: 'ADD_NEW_ITEMS', unit_off: 1, unit_type: 'second' },
          ],
        },
      ],
    ],
  ])('order 2900 + 3100: ADD_MISSING 1 of the first, ADD_NEW 1 of the second, %s', (_, discounts) => {
    const sent = cart({ items: [item('first', 2900), item('second', 3100)] });
    expect(calculated(sent, redeemables(...discounts)).order).toMatchObject({
      amount: 9100,
      initial_amount: 6000,
      items_discount_amount: 6000,
      total_amount: 3100,
      items: [
        { quantity: 1, discount_quantity: 1, subtotal_amount: 0 },
        { quantity: 2, discount_quantity: 1, subtotal_amount: 3100 },
      ],
    });
  });

  test('ADD_MISSING 5 of a 1500 line with quantity 1', () => {
    const { order } = calculated(
      cart({ items: [item('mug', 1500)] }),
      redeemables(units('ADD_MISSING_ITEMS', 5, 'mug')),
    );
    expect(order).toMatchObject({ amount: 7500, items_discount_amount: 7500, total_amount: 0 });
    expect(order?.items).toEqual([
      {
        object: 'order_item',
        product_id: 'mug',
        price: 1500,
        quantity: 5,
        initial_quantity: 1,
        discount_quantity: 5,
        applied_discount_quantity: 5,
        applied_quantity: 4,
        applied_quantity_amount: 6000,
        amount: 7500,
        initial_amount: 1500,
        discount_amount: 7500,
        applied_discount_amount: 7500,
        subtotal_amount: 0,
      },
    ]);
  });
});

describe('replacing one of three (reference 01 §11)', () => {
  const replaced = (
    items: OrderItemInput[],
    source: ScopedItem,
    discount: Discount,
  ): CalculatedOrder | null => {
    const upgrade = voucher('UPGRADE', { discount }, { scope: including({ ...source, quantity_limit: 1 }) });
    return calculated(orderOf(items), [upgrade], {}, { catalogue }).order;
  };

  test('an upgrade: 2000 shirts, a 2500 shirt', () => {
    expect(
      replaced(threeShirts, { object: 'sku', id: 'sku_plain' }, units('REPLACE_ITEMS', 1, 'sku_fine')),
    ).toEqual({
      amount: 6500,
      initial_amount: 6000,
      items_discount_amount: 500,
      total_discount_amount: 500,
      total_amount: 6000,
      items_applied_discount_amount: 500,
      total_applied_discount_amount: 500,
      items: [
        {
          object: 'order_item',
          product_id: 'prod_shirt',
          sku_id: 'sku_plain',
          price: 2000,
          product: { id: 'prod_shirt', source_id: 'shirt', name: 'Shirt' },
          sku: { id: 'sku_plain', source_id: 'plain', sku: 'Plain shirt', price: 2000 },
          quantity: 2,
          initial_quantity: 3,
          amount: 4000,
          initial_amount: 6000,
          applied_quantity: -1,
          applied_quantity_amount: -2000,
          subtotal_amount: 4000,
          application_details: [
            {
              source_index: 0,
              source_applied_quantity: -1,
              source_applied_quantity_amount: -2000,
              target_index: 1,
              target_applied_quantity: 1,
              target_applied_quantity_amount: 2500,
              target_applied_discount_amount: 500,
            },
          ],
        },
        {
          ...fineShirt,
          quantity: 1,
          initial_quantity: 0,
          amount: 2500,
          initial_amount: 0,
          discount_amount: 500,
          discount_quantity: 1,
          applied_discount_amount: 500,
          applied_discount_quantity: 1,
          applied_quantity: 1,
          applied_quantity_amount: 2500,
          subtotal_amount: 2000,
        },
      ],
    });
  });

  test.each([
    { each: 1, amount: 6000, discount: undefined, total: 6000, mugs: 1000, of: undefined },
    { each: 3, amount: 8000, discount: 500, total: 7500, mugs: 3000, of: 3 },
  ])('a cheaper target: 2500 bottles, $each mug(s) of 1000', (row) => {
    const bottle: ScopedItem = { object: 'product', id: 'prod_bottle' };
    const order = replaced(threeBottles, bottle, units('REPLACE_ITEMS', row.each, 'prod_mug'));
    expect(order?.amount).toBe(row.amount);
    expect(order?.items_discount_amount).toBe(row.discount);
    expect(order?.total_amount).toBe(row.total);
    expect(order?.items.map(({ quantity, amount }) => [quantity, amount])).toEqual([
      [2, 5000],
      [row.each, row.mugs],
    ]);
    expect(order?.items[1]?.discount_amount).toBe(row.discount);
    expect(order?.items[1]?.discount_quantity).toBe(row.of);
    expect(order?.items[0]?.application_details?.[0]?.target_applied_discount_amount).toBe(row.discount ?? 0);
  });
});
