import {
  amount,
  calculated,
  cart,
  item,
  lineDiscounts,
  percent,
  refusals,
  voucher,
} from '../calculation.fixture';
import type { BundleRules } from '../bundles/bundle-rules';
import type { Calculation } from '../calculate';
import type { OrderItemInput } from '../order/order';

describe('bundles of two bottles and five of collection C (reference 01 §9, reference 02 §1.4)', () => {
  const records = {
    products: [{ id: 'bottle' }, { id: 'shirt', collections: ['C'] }, { id: 'socks', collections: ['C'] }],
  };
  const bundled = (limit: number, ...items: OrderItemInput[]): Calculation => {
    const bundle: BundleRules = {
      components: [
        { object: 'product', id: 'bottle', quantity: 2 },
        { object: 'products_collection', id: 'C', quantity: 5 },
      ],
      limit,
      scaling: 'MULTIPLY',
    };
    return calculated(cart({ items }, { records }), [voucher('B', { discount: percent(5) }, { bundle })]);
  };

  test('a partial bundle tells what is there and what is missing', () => {
    const calculation = bundled(1, item('bottle', 100), item('shirt', 100), item('socks', 100, 2));
    expect(refusals(calculation)).toEqual(['order_rules_violated']);
    expect(calculation.redeemables[0]).toHaveProperty('bundle', {
      quantity: 0,
      limit: 1,
      identified: [
        { id: 'bottle', object: 'product', item_index: 0, item_quantity: 1 },
        { id: 'shirt', object: 'product', item_index: 1, item_quantity: 1 },
        { id: 'socks', object: 'product', item_index: 2, item_quantity: 2 },
      ],
      missing: [
        { id: 'bottle', object: 'product', item_quantity: 1 },
        { id: 'C', object: 'products_collection', item_quantity: 2 },
      ],
    });
  });

  test('five bottles and ten shirts hold two, of at most three', () => {
    const [one] = bundled(3, item('bottle', 100, 5), item('shirt', 100, 10)).redeemables;
    expect(one).toMatchObject({ status: 'APPLICABLE' });
    expect(one).toHaveProperty('result.bundle', {
      quantity: 2,
      limit: 3,
      identified: [
        { id: 'bottle', object: 'product', item_index: 0, item_quantity: 4 },
        { id: 'shirt', object: 'product', item_index: 1, item_quantity: 10 },
      ],
    });
  });
});

describe('what bundles multiply (reference 01 §9)', () => {
  test('5 % per bundle, five bundles, limit 5: 25 % off the order; the answer shows 5 % (§11)', () => {
    const bundle: BundleRules = {
      components: [{ object: 'product', id: 'mug', quantity: 1 }],
      limit: 5,
      scaling: 'MULTIPLY',
    };
    const { order, redeemables } = calculated(cart({ items: [item('mug', 1000, 7)] }), [
      voucher('BUNDLE', { discount: percent(5, { effect: 'APPLY_TO_ORDER' }) }, { bundle }),
    ]);
    expect(order?.discount_amount).toBe(1750);
    expect(redeemables[0]).toMatchObject({
      result: { discount: { percent_off: 5 }, bundle: { quantity: 5, limit: 5 } },
    });
  });

  test.each([{ prices: [5000, 5000, 5000] }, { prices: [5000, 6000, 7000] }])(
    '20.00 off the item subtotal, two bundles, single-unit lines $prices: 40.00 on each',
    ({ prices }) => {
      const bundle: BundleRules = {
        components: [{ object: 'products_collection', id: 'pc_a11pr0dUc75', quantity: 1 }],
        limit: 2,
        scaling: 'MULTIPLY',
      };
      const calculation = calculated(
        cart({ items: prices.map((price, index) => item(`line ${index}`, price)) }),
        [voucher('B', { discount: amount(2000, { effect: 'APPLY_TO_ITEMS' }) }, { bundle })],
      );
      expect(lineDiscounts(calculation)).toEqual([4000, 4000, 4000]);
    },
  );
});
