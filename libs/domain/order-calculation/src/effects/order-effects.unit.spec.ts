import type { Discount } from '../discount';
import { after, applied, cart, orderOf, resolved } from './carts.fixture';

const most = Number.MAX_SAFE_INTEGER;

const appliedTo = (amountMinor: number, discount: Discount, times = 1): number =>
  applied(orderOf({ amount: amountMinor }), discount, { times }).discountAmount;

describe('AMOUNT to the order (reference 01 §5)', () => {
  test.each([
    { amount_off: 9999, applied: 9999 },
    { amount_off: 10000, applied: 10000 },
    { amount_off: 10001, applied: 10000 },
    { amount_off: 999, aggregated_amount_limit: 1000, applied: 999 },
    { amount_off: 1001, aggregated_amount_limit: 1000, applied: 1000 },
    { amount_off: 1001, aggregated_amount_limit: 1000.9, applied: 1000 },
    { amount_off: 10, aggregated_amount_limit: 0, applied: 0 },
    { amount_off: 10, aggregated_amount_limit: -1, applied: 0 },
    { amount_off: 0, applied: 0 },
    { amount_off: -5, applied: 0 },
    { amount_off: 10.49, applied: 10 },
    { amount_off: 10.5, applied: 11 },
  ])('$amount_off, limit $aggregated_amount_limit: $applied off 10000', ({ applied: expected, ...value }) => {
    expect(appliedTo(10000, { type: 'AMOUNT', ...value })).toBe(expected);
  });

  test('bundles multiply the value, not its limit', () => {
    expect(appliedTo(10000, { type: 'AMOUNT', amount_off: 100 }, 3)).toBe(300);
    expect(appliedTo(10000, { type: 'AMOUNT', amount_off: 100, aggregated_amount_limit: 250 }, 3)).toBe(250);
  });

  test('takes what a number holds and no more', () => {
    expect(appliedTo(most, { type: 'AMOUNT', amount_off: most }, 100)).toBe(most);
    expect(appliedTo(most, { type: 'AMOUNT', amount_off: most - 1 })).toBe(most - 1);
  });
});

describe('PERCENT to the order (reference 01 §5)', () => {
  test.each([
    { percent_off: 10, applied: 1000 },
    { percent_off: 10, amount_limit: 1001, applied: 1000 },
    { percent_off: 10, amount_limit: 999, applied: 999 },
    { percent_off: 10, amount_limit: 999.9, applied: 999 },
    { percent_off: 10, aggregated_amount_limit: 5, applied: 1000 },
    { percent_off: 150, applied: 10000 },
    { percent_off: -5, applied: 0 },
    { percent_off: 0.333, applied: 33 },
  ])('$percent_off %, limit $amount_limit: $applied off 10000', ({ applied: expected, ...value }) => {
    expect(appliedTo(10000, { type: 'PERCENT', ...value })).toBe(expected);
  });

  test('the answer shows the percentage of one bundle', () => {
    const discount: Discount = { type: 'PERCENT', percent_off: 5 };
    expect(resolved(discount, orderOf({ amount: 10000 }), { times: 5 })).toMatchObject({
      discount: { percent_off: 5 },
      times: 5,
    });
  });

  test('bundles multiply the percentage, not its limit', () => {
    expect(appliedTo(10000, { type: 'PERCENT', percent_off: 5 }, 5)).toBe(2500);
    expect(appliedTo(10000, { type: 'PERCENT', percent_off: 60 }, 2)).toBe(10000);
    expect(appliedTo(10000, { type: 'PERCENT', percent_off: 10, amount_limit: 1500 }, 2)).toBe(1500);
  });
});

describe('FIXED to the order (reference 01 §5, §9)', () => {
  test.each([
    { fixed_amount: 9999, applied: 1 },
    { fixed_amount: 10000, applied: 0 },
    { fixed_amount: 10001, applied: 0 },
    { fixed_amount: 0, applied: 10000 },
    { fixed_amount: -1, applied: 10000 },
    { fixed_amount: 8000.5, applied: 1999 },
  ])('a total of $fixed_amount takes $applied off 10000', ({ fixed_amount, applied: expected }) => {
    expect(appliedTo(10000, { type: 'FIXED', fixed_amount })).toBe(expected);
  });

  test('bundles do not multiply it', () => {
    expect(appliedTo(10000, { type: 'FIXED', fixed_amount: 3000 }, 3)).toBe(7000);
  });
});

describe('the base of the order (reference 01 §5)', () => {
  const discounted = after(orderOf({ amount: 10000 }), { discountAmount: 3000 });

  test.each<{ discount: Discount; left: number; initial: number }>([
    { discount: { type: 'PERCENT', percent_off: 10 }, left: 700, initial: 1000 },
    { discount: { type: 'PERCENT', percent_off: 80 }, left: 5600, initial: 7000 },
    { discount: { type: 'FIXED', fixed_amount: 8000 }, left: 0, initial: 2000 },
    { discount: { type: 'FIXED', fixed_amount: 6000 }, left: 1000, initial: 4000 },
    { discount: { type: 'FIXED', fixed_amount: 1000 }, left: 6000, initial: 7000 },
    { discount: { type: 'AMOUNT', amount_off: 8000 }, left: 7000, initial: 7000 },
  ])(
    '$discount.type of what is left, or of the initial amount up to what is left',
    ({ discount, left, initial }) => {
      expect(applied(discounted, discount).discountAmount - 3000).toBe(left);
      expect(applied(discounted, discount, { mode: 'INITIAL_AMOUNT' }).discountAmount - 3000).toBe(initial);
    },
  );

  test('an order without an initial amount has a base of 0', () => {
    const order = { ...orderOf({ amount: 10000 }), initialAmount: undefined };
    expect(applied(order, { type: 'PERCENT', percent_off: 10 }, { mode: 'INITIAL_AMOUNT' })).toBe(order);
    expect(applied(order, { type: 'PERCENT', percent_off: 10 }).discountAmount).toBe(1000);
  });
});

describe('an effect on the order', () => {
  test('takes nothing off the lines and leaves the given order alone', () => {
    const order = cart({ price: 1000, quantity: 2 });
    const frozen = structuredClone(order);
    const discounted = applied(order, { type: 'AMOUNT', amount_off: 300 });
    expect(order).toEqual(frozen);
    expect(discounted).toEqual({ ...frozen, discountAmount: 300 });
    expect(discounted.lines).toBe(order.lines);
  });

  test.each<Discount>([
    { type: 'AMOUNT', amount_off: 0 },
    { type: 'PERCENT', percent_off: 0 },
    { type: 'FIXED', fixed_amount: 2000 },
  ])('answers the very same order where nothing comes off: $type', (discount) => {
    const order = cart({ price: 1000, quantity: 2 });
    expect(applied(order, discount)).toBe(order);
  });

  test.each<Discount>([
    { type: 'AMOUNT', amount_off: 1 },
    { type: 'PERCENT', percent_off: 10 },
    { type: 'FIXED', fixed_amount: 0 },
  ])('answers the very same order where no amount is known or nothing is left: $type', (discount) => {
    const unknown = orderOf({});
    const free = after(orderOf({ amount: 500 }), { discountAmount: 500 });
    expect(applied(unknown, discount)).toBe(unknown);
    expect(applied(free, discount)).toBe(free);
  });
});
