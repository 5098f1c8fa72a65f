import { amount, calculated, cart, redeemables, voucher } from '../calculation.fixture';
import { order, refusalOf } from './payment.fixture';

const coins = (fields: object) =>
  voucher('CARD', {
    reward: { type: 'COIN', exchange_ratio: 1, points_ratio: 1, balance: 1000, ...fields },
  });

describe('points as money (reference 01 §7)', () => {
  test.each([
    { name: 'cover the order', card: { balance: 60 }, points: 50, discount: 5000 },
    { name: 'up to the balance', card: { balance: 49 }, points: 49, discount: 4900 },
    { name: 'as sent', card: { points: 7 }, points: 7, discount: 700 },
    { name: 'all of them', card: { balance: 7, points: 7 }, points: 7, discount: 700 },
    { name: 'no more than needed', card: { points: 51 }, points: 50, discount: 5000 },
    {
      name: 'in whole multiples',
      card: { points_ratio: 30, exchange_ratio: 7 },
      points: 240,
      discount: 5000,
    },
    {
      name: 'cents per point',
      card: { exchange_ratio: 0.01, balance: 10_000 },
      points: 5000,
      discount: 5000,
    },
    {
      name: 'a fraction of a minor unit, rounded half up',
      card: { exchange_ratio: 0.005, points: 1 },
      points: 1,
      discount: 1,
    },
    { name: 'below half a minor unit', card: { exchange_ratio: 0.004, points: 1 }, points: 1, discount: 0 },
    { name: 'worth nothing', card: { exchange_ratio: 0 }, points: 0, discount: 0 },
    { name: 'of no ratio', card: { points_ratio: 0 }, points: 0, discount: 0 },
  ])('$name', ({ card, points, discount }) => {
    const calculation = calculated(order, [coins(card)]);
    expect(calculation.order?.discount_amount ?? 0).toBe(discount);
    expect(calculation.redeemables[0]).toMatchObject({
      status: 'APPLICABLE',
      result: { loyalty_card: { points } },
    });
    expect(calculation.consumption.points).toEqual(points > 0 ? [{ id: 'CARD', points }] : []);
  });

  test('what earlier redeemables took need not be covered', () => {
    const calculation = calculated(order, [...redeemables(amount(4901)), coins({})]);
    expect(calculation.redeemables[1]).toMatchObject({ result: { loyalty_card: { points: 1 } } });
    expect(calculation.order?.total_amount).toBe(0);
  });

  test('huge values stay exact', () => {
    const whole = cart({ amount: Number.MAX_SAFE_INTEGER });
    const { order: after } = calculated(whole, [
      coins({ exchange_ratio: 1e12, balance: Number.MAX_SAFE_INTEGER, points: 100 }),
    ]);
    expect(after).toMatchObject({ discount_amount: Number.MAX_SAFE_INTEGER, total_amount: 0 });
  });

  test('one point more than the balance is refused', () => {
    expect(refusalOf(calculated(order, [coins({ balance: 7, points: 8 })]))).toEqual({
      refused: 'loyalty_card_points_exceeded',
      details: 'CARD',
    });
  });

  test('need an order with an amount', () => {
    expect(refusalOf(calculated(null, [coins({})]))).toMatchObject({
      refused: 'missing_order',
      details: 'Order is required to redeem this LOYALTY_CARD',
    });
    expect(refusalOf(calculated(cart({}), [coins({})]))).toMatchObject({
      refused: 'missing_amount',
      details: 'Order amount is required to redeem this LOYALTY_CARD',
    });
  });
});

describe('other rewards (reference 01 §7)', () => {
  const reward = (points: number, balance: number) =>
    voucher('CARD', { reward: { type: 'OTHER', points, balance } });

  test('leave the order alone and cost their points, with or without an order', () => {
    expect(calculated(order, [reward(4, 4)])).toMatchObject({
      order: { total_amount: 5000 },
      consumption: { points: [{ id: 'CARD', points: 4 }] },
    });
    expect(calculated(order, [reward(4, 4)]).order).not.toHaveProperty('applied_discount_amount');
    expect(calculated(null, [reward(4, 4)])).toMatchObject({ valid: true, order: null });
  });

  test('cost no more than the card holds', () => {
    expect(refusalOf(calculated(order, [reward(5, 4)]))).toMatchObject({
      refused: 'loyalty_card_points_exceeded',
    });
  });

  test('must be named', () => {
    expect(refusalOf(calculated(order, [voucher('CARD', { reward: null })]))).toEqual({
      refused: 'missing_reward',
      details: 'A reward is required when redeeming a LOYALTY_CARD',
    });
  });
});
