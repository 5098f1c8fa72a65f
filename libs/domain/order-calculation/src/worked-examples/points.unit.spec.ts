import { calculated, cart, voucher } from '../calculation.fixture';

describe('pay with points (reference 01 §7, reference 03 §4.6): 20.00 per 100 points', () => {
  const card = (balance: number, points?: number) =>
    voucher('CARD', {
      reward: {
        type: 'COIN',
        exchange_ratio: 20,
        points_ratio: 100,
        balance,
        ...(points === undefined ? {} : { points }),
      },
    });
  test.each([
    {
      name: 'left open: whole multiples that cover the order',
      balance: 5000,
      points: undefined,
      taken: 2300,
      discount: 45000,
    },
    { name: '300 points are 6000', balance: 5000, points: 300, taken: 300, discount: 6000 },
    { name: '10 points are 200', balance: 5000, points: 10, taken: 10, discount: 200 },
    {
      name: 'left open: at most the balance',
      balance: 1999,
      points: undefined,
      taken: 1999,
      discount: 39980,
    },
    {
      name: 'more than needed shrinks to the covering multiple',
      balance: 5000,
      points: 4000,
      taken: 2300,
      discount: 45000,
    },
  ])('$name', ({ balance, points, taken, discount }) => {
    const calculation = calculated(cart({ amount: 45000 }), [card(balance, points)]);
    expect(calculation.order?.discount_amount).toBe(discount);
    expect(calculation.redeemables[0]).toMatchObject({ result: { loyalty_card: { points: taken } } });
    expect(calculation.consumption.points).toEqual([{ id: 'CARD', points: taken }]);
  });
});
