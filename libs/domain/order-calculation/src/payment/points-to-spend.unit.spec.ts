import { calculated, cart, voucher } from '../calculation.fixture';

const order = cart({ amount: 5000 });
const card = (balance: number, points?: number) =>
  voucher('CARD', {
    reward: {
      type: 'COIN',
      exchange_ratio: 1,
      points_ratio: 1,
      balance,
      ...(points !== undefined && { points }),
    },
  });

describe('points to spend (reference 05 §9.2)', () => {
  test.each([
    ['as many as possible', undefined],
    ['none', 0],
  ])('a card without points is refused where %s are asked for', (_, points) => {
    expect(calculated(order, [card(0, points)]).redeemables).toMatchObject([
      {
        status: 'INAPPLICABLE',
        refusal: { refused: 'loyalty_card_points_exceeded', details: 'CARD' },
      },
    ]);
  });

  test('one point is enough, also for what costs nothing any more', () => {
    expect(calculated(order, [card(1)])).toMatchObject({ valid: true, order: { discount_amount: 100 } });
    expect(calculated(cart({ amount: 0 }), [card(1)]).redeemables).toMatchObject([
      { status: 'APPLICABLE', result: { loyalty_card: { points: 0 } } },
    ]);
  });

  test('a card without points redeems a reward that costs none', () => {
    const free = voucher('CARD', { reward: { type: 'OTHER', balance: 0, points: 0 } });
    expect(calculated(order, [free]).valid).toBe(true);
  });
});
