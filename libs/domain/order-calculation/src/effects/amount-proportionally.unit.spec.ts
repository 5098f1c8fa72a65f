import { after, applied, cart, covering, lineDiscounts } from './carts.fixture';
import { proportionally, proportionallyByQuantity } from './item-discounts.fixture';

describe('proportional splits (reference 01 §5)', () => {
  const order = after(cart({ price: 3000 }, { price: 1000 }), { lines: [{ discountAmount: 2000 }] });

  test('weigh lines by what is left, or by their initial amounts; full lines pass the rest on', () => {
    expect(lineDiscounts(applied(order, proportionally(1000)))).toEqual([2500, 500]);
    expect(lineDiscounts(applied(order, proportionally(1000), { mode: 'INITIAL_AMOUNT' }))).toEqual([
      2750, 250,
    ]);
    expect(lineDiscounts(applied(order, proportionally(1600), { mode: 'INITIAL_AMOUNT' }))).toEqual([
      3000, 600,
    ]);
    expect(lineDiscounts(applied(order, proportionally(1600)))).toEqual([2800, 800]);
  });

  test('by quantity, a full line passes its rest to the others by their units', () => {
    const three = cart({ price: 50, quantity: 2 }, { price: 1000 }, { price: 1000, quantity: 3 });
    expect(lineDiscounts(applied(three, proportionallyByQuantity(600)))).toEqual([100, 125, 375]);
    expect(lineDiscounts(applied(three, proportionallyByQuantity(600), { mode: 'INITIAL_AMOUNT' }))).toEqual([
      100, 125, 375,
    ]);
  });

  test('take no more than all eligible parts, and bundles multiply the value', () => {
    const two = cart({ price: 100, quantity: 2 }, { price: 300 });
    const coverage = covering([
      { index: 0, units: 1 },
      { index: 1, units: 1 },
    ]);
    expect(lineDiscounts(applied(two, proportionally(400), { coverage }))).toEqual([100, 300]);
    expect(lineDiscounts(applied(two, proportionally(401), { coverage }))).toEqual([100, 300]);
    expect(lineDiscounts(applied(two, proportionally(100), { coverage, times: 2 }))).toEqual([50, 150]);
    expect(lineDiscounts(applied(two, proportionallyByQuantity(60), { coverage, times: 3 }))).toEqual([
      90, 90,
    ]);
  });

  test('weigh shares of units exactly: 2 of 3 units of 100 and 1 of 2 of 100 are 4 : 3', () => {
    const two = cart({ amount: 100, quantity: 3 }, { amount: 100, quantity: 2 });
    const coverage = covering([
      { index: 0, units: 2 },
      { index: 1, units: 1 },
    ]);
    expect(lineDiscounts(applied(two, proportionally(70), { coverage }))).toEqual([40, 30]);
    // Together 116.67 are eligible.
    expect(lineDiscounts(applied(two, proportionally(200), { coverage }))).toEqual([67, 50]);
  });

  test('by initial amounts, weigh units among those of the cart, not among the paid ones', () => {
    const two = after(cart({ price: 1000, quantity: 4 }, { price: 1000, quantity: 2 }), {
      lines: [{ discountAmount: 1000, discountQuantity: 1, freeQuantity: 1 }],
    });
    const coverage = covering([
      { index: 0, units: 2 },
      { index: 1, units: 1 },
    ]);
    const split = applied(two, proportionally(300), { coverage, mode: 'INITIAL_AMOUNT' });
    expect(lineDiscounts(split)).toEqual([1200, 100]);
  });

  test('halves of a minor unit give no more than their exact sum', () => {
    const two = cart({ amount: 1001, quantity: 2 }, { amount: 1001, quantity: 2 });
    const coverage = covering([
      { index: 0, units: 1 },
      { index: 1, units: 1 },
    ]);
    // 500.5 each: 501 by running total, then 1001 − 501.
    expect(lineDiscounts(applied(two, proportionally(5000), { coverage }))).toEqual([501, 500]);
  });

  test('parts of lines too small for a minor unit give nothing', () => {
    const three = cart({ amount: 2, quantity: 5 }, { amount: 2, quantity: 5 }, { amount: 2, quantity: 5 });
    const coverage = covering([0, 1, 2].map((index) => ({ index, units: 1 })));
    expect(applied(three, proportionally(5), { coverage })).toBe(three);
  });

  test('limits of lines cap the parts; what they cut is lost', () => {
    const two = cart({ price: 1000 }, { price: 1000 });
    const coverage = covering([
      { index: 0, units: 1, amountLimit: 50 },
      { index: 1, units: 1 },
    ]);
    expect(lineDiscounts(applied(two, proportionally(200), { coverage }))).toEqual([50, 100]);
  });
});
