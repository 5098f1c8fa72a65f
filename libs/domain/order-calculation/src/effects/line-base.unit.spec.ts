import { after, applied, cart, covering, lineDiscounts } from './carts.fixture';
import { byQuantity, newPrice, percentToItems, proportionally, toItems } from './item-discounts.fixture';

describe('the base of a line (reference 01 §5)', () => {
  const order = after(cart({ price: 1000, quantity: 4 }), { lines: [{ discountAmount: 3000 }] });

  test.each([
    { name: 'percent', discount: percentToItems(10), units: 4, left: 100, initial: 400 },
    { name: 'percent up to what is left', discount: percentToItems(50), units: 4, left: 500, initial: 1000 },
    { name: 'percent of some units', discount: percentToItems(10), units: 2, left: 50, initial: 200 },
    {
      name: 'percent of some units up to their share',
      discount: percentToItems(50),
      units: 2,
      left: 250,
      initial: 500,
    },
    { name: 'new price', discount: newPrice(900), units: 4, left: 0, initial: 400 },
    { name: 'new price of some units', discount: newPrice(200), units: 2, left: 100, initial: 500 },
    { name: 'amount', discount: toItems(700), units: 4, left: 700, initial: 700 },
    { name: 'amount by quantity', discount: byQuantity(200), units: 4, left: 800, initial: 800 },
  ])('$name: $left of what is left, $initial by the initial amount', ({ discount, units, left, initial }) => {
    const coverage = covering([{ index: 0, units }]);
    expect(lineDiscounts(applied(order, discount, { coverage }))).toEqual([3000 + left]);
    expect(lineDiscounts(applied(order, discount, { coverage, mode: 'INITIAL_AMOUNT' }))).toEqual([
      3000 + initial,
    ]);
  });

  test('lines that an effect created, or without an amount, have an initial base of 0', () => {
    const base = cart({ price: 1000 }, { price: 1000 });
    const created = after(base, {
      lines: [{ initialQuantity: 0, initialAmount: 0 }, { initialAmount: undefined }],
    });
    expect(applied(created, percentToItems(10), { mode: 'INITIAL_AMOUNT' })).toBe(created);
    expect(applied(created, newPrice(10), { mode: 'INITIAL_AMOUNT' })).toBe(created);
    expect(applied(created, proportionally(10), { mode: 'INITIAL_AMOUNT' })).toBe(created);
  });
});
