import { storedOrderState } from '../order/normalise-order';
import { addNew, after, covered, order, replaceBy, threeShirts, viewAfter } from './units.fixture';

describe('stored orders (reference 01 §3)', () => {
  const stored = (...args: Parameters<typeof viewAfter>) => storedOrderState(viewAfter(...args)).lines;

  test('added units are still free, units that replaced others still paid', () => {
    const given = stored(order([{ product_id: 'prod_mug', quantity: 2 }]), addNew(3, 'prod_mug'));
    expect(given[0]!.freeQuantity).toBe(3);
    const replaced = stored(order(threeShirts), replaceBy('sku_fine'), { coverage: covered([0, 2]) });
    expect(replaced.map(({ freeQuantity }) => freeQuantity)).toEqual([0, 0]);
  });

  test('a line with both keeps the free ones free', () => {
    const both = after(order(threeShirts), replaceBy('sku_fine'), { coverage: covered([0, 2]) });
    const given = stored(both, addNew(1, 'sku_fine'));
    expect(given[1]).toMatchObject({
      quantity: 3,
      discountQuantity: 3,
      discountAmount: 3500,
      freeQuantity: 1,
    });
  });

  test('added units without a price are free', () => {
    const given = stored(order([]), addNew(2, 'prod_sticker'));
    expect(given[0]).toMatchObject({ quantity: 2, freeQuantity: 2 });
  });
});
