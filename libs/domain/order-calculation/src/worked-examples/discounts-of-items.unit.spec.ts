import {
  amount,
  calculated,
  cart,
  fixed,
  including,
  item,
  lineDiscounts,
  percent,
  products,
  redeemables,
  voucher,
} from '../calculation.fixture';
import type { Calculation } from '../calculate';
import type { Discount } from '../discount';
import {
  byQuantity,
  newPrice,
  percentToItems,
  proportionally,
  proportionallyByQuantity,
  toItems,
} from '../effects/item-discounts.fixture';
import type { ItemScope } from '../scoping/item-scope';

const lineDiscountQuantities = ({ order }: Calculation): number[] | undefined =>
  order?.items.map(({ discount_quantity: counted = 0 }) => counted);

describe('cart C1 (reference 01 §11): everything but the bottle in scope', () => {
  const c1 = cart({
    items: [item('mug', 1000, 2), item('poster', 1500, 3), item('shirt', 2000, 3), item('bottle', 2500, 2)],
  });
  const scope = including(...products('mug', 'poster', 'shirt'));

  test.each<[row: string, discount: Discount, lines: number[], counted: number[], total: number]>([
    ['AMOUNT 1000, to items', toItems(1000), [1000, 1000, 1000, 0], [0, 0, 0, 0], 14500],
    ['AMOUNT 1000, by quantity', byQuantity(1000), [2000, 3000, 3000, 0], [2, 3, 3, 0], 9500],
    ['AMOUNT 1000, proportionally', proportionally(1000), [160, 360, 480, 0], [0, 0, 0, 0], 16500],
    [
      'AMOUNT 1000, proportionally by quantity',
      proportionallyByQuantity(1000),
      [250, 375, 375, 0],
      [0, 0, 0, 0],
      16500,
    ],
    ['PERCENT 10, to items', percentToItems(10), [200, 450, 600, 0], [0, 0, 0, 0], 16250],
    ['FIXED 1000, to items', newPrice(1000), [0, 1500, 3000, 0], [0, 3, 3, 0], 13000],
  ])('%s', (_, discount, lines, counted, total) => {
    const calculation = calculated(c1, [voucher('C', { discount }, { scope })]);
    expect(lineDiscounts(calculation)).toEqual(lines);
    expect(lineDiscountQuantities(calculation)).toEqual(counted);
    expect(calculation.order).toMatchObject({ amount: 17500, total_amount: total });
    expect(calculation.order).not.toHaveProperty('discount_amount');
  });
});

describe('cart C2 (reference 01 §11): from most expensive, skip 1, repeat 2; the bottle out of scope', () => {
  const c2 = cart(
    {
      items: [
        item('shirt', 2000, 3),
        item('poster', 1500, 5),
        item('mug', 1000, 2),
        item('socks', 500, 4),
        item('bottle', 2500, 2),
      ],
    },
    {
      records: {
        products: ['shirt', 'poster', 'mug', 'socks'].map((id) => ({ id, collections: ['pc_sale'] })),
      },
    },
  );
  const onSale = (target: 'ITEM' | 'UNIT'): ItemScope =>
    including({
      object: 'products_collection',
      id: 'pc_sale',
      effect: 'APPLY_FROM_MOST_EXPENSIVE',
      skip_initially: 1,
      repeat: 2,
      target,
    });

  test.each([
    {
      row: 'target ITEM, to items',
      target: 'ITEM',
      effect: 'APPLY_TO_ITEMS',
      lines: [0, 500, 0, 500, 0],
      counted: [0, 0, 0, 0, 0],
      total: 21500,
    },
    {
      row: 'target UNIT, by quantity',
      target: 'UNIT',
      effect: 'APPLY_TO_ITEMS_BY_QUANTITY',
      lines: [500, 1500, 500, 1000, 0],
      counted: [1, 3, 1, 2, 0],
      total: 19000,
    },
  ] as const)('AMOUNT 500, $row', ({ target, effect, lines, counted, total }) => {
    const calculation = calculated(c2, [
      voucher('C', { discount: amount(500, { effect }) }, { scope: onSale(target) }),
    ]);
    expect(lineDiscounts(calculation)).toEqual(lines);
    expect(lineDiscountQuantities(calculation)).toEqual(counted);
    expect(calculation.order).toMatchObject({ amount: 22500, total_amount: total });
  });
});

describe('a new price by formula on a 6500 line of a 46500 order (reference 01 §11)', () => {
  const order = cart({ items: [item('shoe', 6500), item('coat', 40000)] });
  const formula = 'IF(ORDER_AMOUNT > 300;ORDER_ITEM_PRICE * 0.8;ORDER_ITEM_PRICE)';

  test('of the definition that covers the line', () => {
    const scope = including({ object: 'product', id: 'shoe', price: 6000, price_formula: formula });
    const calculation = calculated(order, [
      voucher('NEW-PRICE', { discount: fixed(0, { effect: 'APPLY_TO_ITEMS' }) }, { scope }),
    ]);
    expect(calculation.order?.items[0]).toMatchObject({ discount_amount: 1300, subtotal_amount: 5200 });
  });

  test('of the discount', () => {
    const discount = fixed(6000, { effect: 'APPLY_TO_ITEMS', fixed_amount_formula: formula });
    const calculation = calculated(order, [
      voucher('NEW-PRICE', { discount }, { scope: including(...products('shoe')) }),
    ]);
    expect(calculation.redeemables[0]).toMatchObject({
      result: { discount: { fixed_amount: 5200, is_dynamic: true } },
    });
    expect(lineDiscounts(calculation)).toEqual([1300, 0]);
  });
});

test('percent 50 on lines 4000, 4000 with amount_limit 1500 and aggregated_amount_limit 2000 (reference 01 §11)', () => {
  const discount = percent(50, {
    effect: 'APPLY_TO_ITEMS',
    amount_limit: 1500,
    aggregated_amount_limit: 2000,
  });
  const calculation = calculated(cart({ items: [{ price: 4000 }, { price: 4000 }] }), redeemables(discount));
  expect(lineDiscounts(calculation)).toEqual([1500, 500]);
});
