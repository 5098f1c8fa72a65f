import {
  addNew,
  after,
  covered,
  discounted,
  order,
  replaceBy,
  threeBottles,
  threeShirts,
  viewAfter,
} from './units.fixture';

describe('discounts that were there before', () => {
  test('stay on the source as far as its amount holds them', () => {
    const state = discounted(order(threeShirts), 0, [4000]);
    const given = after(state, replaceBy('sku_fine'), { coverage: covered([0, 1]) });
    expect(given.lines.map(({ discountAmount }) => discountAmount)).toEqual([4000, 500]);
  });

  test('move to the target as far as they exceed it: an upgrade leaves the total unchanged', () => {
    const state = discounted(order(threeShirts), 0, [4001]);
    const given = after(state, replaceBy('sku_fine'), { coverage: covered([0, 1]) });
    expect(given.lines.map(({ discountAmount }) => discountAmount)).toEqual([4000, 501]);
    expect(given.lines[0]!.replacements[0]!.target_applied_discount_amount).toBe(501);
    expect(viewAfter(state, replaceBy('sku_fine'), { coverage: covered([0, 3]) }).total_amount).toBe(1999);
  });

  test('are lost where the target costs less than they are', () => {
    const state = discounted(order(threeBottles), 0, [7000]);
    const given = viewAfter(state, replaceBy('prod_mug'), { coverage: covered([0, 3]) });
    expect(given).toMatchObject({ amount: 3000, items_discount_amount: 3000, total_amount: 0 });
  });

  test('discounted units of the source are at most the units it has', () => {
    const state = order(threeShirts);
    const counted = { ...state, lines: [{ ...state.lines[0]!, discountQuantity: 2 }] };
    const left = (units: number) =>
      after(counted, replaceBy('sku_fine'), { coverage: covered([0, units]) }).lines[0]!.discountQuantity;
    expect([left(1), left(2)]).toEqual([2, 1]);
  });

  test.each([
    [6000, 6000, 0],
    [6001, 6000, 0],
    [5999, 5999, 1],
  ])('an order discount of %s is %s on what is left', (before, remaining, total) => {
    const state = discounted(order(threeBottles), before);
    const view = viewAfter(state, replaceBy('prod_mug'), { coverage: covered([0, 1]) });
    expect(view).toMatchObject({ amount: 6000, discount_amount: remaining, total_amount: total });
  });

  test('an amount that was sent too low does not fall below 0', () => {
    const view = viewAfter(order(threeBottles, 1000), replaceBy('prod_mug'), { coverage: covered([0, 1]) });
    expect(view).toMatchObject({ amount: 0, initial_amount: 1000, total_amount: 0 });
  });
});

describe('lines without a known price', () => {
  test('are replaced without changing the total', () => {
    const state = order([{ product_id: 'prod_sticker', quantity: 2 }]);
    const view = viewAfter(state, replaceBy('prod_mug'), { coverage: covered([0, 1]) });
    expect(view).toMatchObject({ amount: 1000, items_discount_amount: 1000, total_amount: 0 });
    expect(view.items[0]).toMatchObject({ quantity: 1, application_details: [{ target_index: 1 }] });
    expect(view.items[0]).not.toHaveProperty('amount');
    expect(view.items[0]!.application_details![0]!.source_applied_quantity_amount).toBe(0);
  });

  test('replace each other by their units alone', () => {
    const state = order([{ product_id: 'prod_sticker', quantity: 2 }]);
    const given = after(state, replaceBy('prod_nobody', 2), { coverage: covered([0, 1]) });
    expect(given).toMatchObject({
      amount: 0,
      lines: [{ quantity: 1 }, { quantity: 2, discountQuantity: 0 }],
    });
    expect(given.lines.map(({ amount }) => amount)).toEqual([undefined, undefined]);
  });

  test('do not replace what has a price', () => {
    const state = order(threeShirts);
    expect(after(state, replaceBy('prod_sticker'), { coverage: covered([0, 1]) })).toBe(state);
  });

  test('a line with an amount alone loses its average, and gets it back from what the cart held', () => {
    const state = order([{ product_id: 'prod_sticker', quantity: 3, amount: 1000 }, ...threeShirts]);
    const given = after(state, replaceBy('prod_mug'), { coverage: covered([0, 2]) });
    expect(given.lines[0]).toMatchObject({ quantity: 1, amount: 333 });
    const emptied = after(state, replaceBy('prod_mug'), { coverage: covered([0, 3]) });
    expect(emptied.lines[0]).toMatchObject({ quantity: 0, amount: 0 });
    const again = after(emptied, addNew(3, 'prod_sticker'));
    expect(again.lines[0]).toMatchObject({ quantity: 3, amount: 1000, discountAmount: 1000 });
  });
});
