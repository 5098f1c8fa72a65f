import {
  amount,
  appliedBy,
  calculated,
  cart,
  including,
  products,
  redeemables,
  units,
  voucher,
} from '../calculation.fixture';
import type { Redeemable } from '../redeemable';

describe('ONCE: each product is discounted by one redeemable (reference 01 §10 step 4.4)', () => {
  const once = { redeemables_products_application_mode: 'ONCE' } as const;
  const lines = cart({
    items: [
      { product_id: 'mug', price: 1000 },
      { product_id: 'mug', sku_id: 'sku_red', price: 1000 },
      { product_id: 'cup', price: 1000 },
      { price: 1000 },
    ],
  });
  const off = (id: string, product?: string) =>
    voucher(
      id,
      { discount: amount(100, { effect: 'APPLY_TO_ITEMS' }) },
      product ? { scope: including(...products(product)) } : {},
    );

  test('later redeemables leave its lines alone', () => {
    expect(appliedBy(calculated(lines, [off('A', 'mug'), off('B')], once))).toEqual([200, 200]);
    expect(appliedBy(calculated(lines, [off('A', 'mug'), off('B')]))).toEqual([200, 400]);
  });

  test('a line that names no product is a product of its own', () => {
    expect(appliedBy(calculated(lines, [off('A', 'cup'), off('B'), off('C')], once))).toEqual([
      100,
      300,
      undefined,
    ]);
  });

  test('discounts of the whole order neither mark nor respect it', () => {
    const calculation = calculated(
      lines,
      [...redeemables(amount(100)), off('A'), voucher('B', { discount: amount(100) })],
      once,
    );
    expect(appliedBy(calculation)).toEqual([100, 400, 100]);
  });

  test.each<[string, Redeemable['incentive'], number[] | undefined]>([
    ['a discount of the order', { discount: amount(100, { effect: 'APPLY_TO_ORDER' }) }, [0, 1]],
    ['a gift card for the order', { gift: { balance: 100 } }, [0, 1]],
    ['points', { reward: { type: 'OTHER', balance: 1, points: 1 } }, [0, 1]],
    ['a gift card for items', { gift: { balance: 100, effect: 'APPLY_TO_ITEMS' } }, undefined],
    ['a discount of items', { discount: amount(100, { effect: 'APPLY_TO_ITEMS' }) }, undefined],
  ])('%s lists what it may touch', (_, incentive, indices) => {
    const scope = including(...products('mug', 'cup'));
    const [, second] = calculated(
      lines,
      [off('A', 'mug'), voucher('B', incentive, { scope })],
      once,
    ).redeemables;
    const listed = second?.status === 'APPLICABLE' ? second.applicable_to.data : [];
    expect(listed.map((entry) => entry.order_item_indices)).toEqual([indices, [2]]);
  });

  test('credits used on items close their products, credits used on the order do not', () => {
    const gift = (effect: 'APPLY_TO_ITEMS' | 'APPLY_TO_ORDER') =>
      voucher('G', { gift: { balance: 50, effect } }, { scope: including(...products('cup')) });
    expect(appliedBy(calculated(lines, [gift('APPLY_TO_ITEMS'), off('A')], once))).toEqual([50, 300]);
    expect(appliedBy(calculated(lines, [gift('APPLY_TO_ORDER'), off('A')], once))).toEqual([50, 400]);
  });

  test('free units of a product discounted before do nothing', () => {
    const free = voucher('F', { discount: units('ADD_NEW_ITEMS', 1, 'mug') });
    expect(calculated(lines, [off('A', 'mug'), free], once).order?.amount).toBe(4000);
    expect(calculated(lines, [off('A', 'cup'), free], once).order?.amount).toBe(5000);
  });

  test('a product with a free unit takes no discount afterwards', () => {
    const free = voucher('F', { discount: units('ADD_NEW_ITEMS', 1, 'mug') });
    expect(appliedBy(calculated(lines, [free, off('A', 'mug')], once))).toEqual([1000, undefined]);
  });
});
