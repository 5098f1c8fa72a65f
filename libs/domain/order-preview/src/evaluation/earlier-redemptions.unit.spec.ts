import { isRefused } from '@scrip/kernel/pure';
import { type OrderState, normaliseOrder } from '@scrip/order-calculation';
import { EarlierRedemptions } from './earlier-redemptions';

const orderOf = (amount: number, discountAmount: number, discountOfLine: number): OrderState => {
  const order = normaliseOrder({ amount, items: [{ price: amount }] });
  if (isRefused(order)) throw new Error(order.details);
  const lines = order.lines.map((line) => ({ ...line, discountAmount: discountOfLine }));
  return { ...order, discountAmount, lines };
};

describe('redemptions earlier in a request', () => {
  const earlier = new EarlierRedemptions();
  earlier.add(
    { object: 'voucher', id: 'A', campaignId: 'camp_1' },
    { before: orderOf(5000, 100, 20), after: orderOf(5000, 350, 70), result: {} },
  );
  earlier.add(
    { object: 'voucher', id: 'B', campaignId: 'camp_1' },
    {
      before: orderOf(5000, 350, 70),
      after: orderOf(5000, 950, 70),
      result: { gift: { balance: 900, credits: 600 } },
    },
  );
  earlier.add({ object: 'voucher', id: 'C' }, { before: null, after: null, result: {} });

  it.each([
    ['campaign.redemptions.count', 2],
    ['campaign.redemptions.count.daily', 2],
    ['campaign.redemptions.customers_count.monthly', 2],
    ['campaign.orders.amount', 10000],
    ['campaign.orders.amount_discounted', 300 + 600],
    ['redemption.gift.amount', 600],
    ['redemption.count.daily', 0],
    ['redemption.count.per_customer', 0],
  ])('count for %s of their campaign: %i', (rule, counted) => {
    expect(earlier.counted(rule, { object: 'voucher', id: 'D', campaignId: 'camp_1' })).toBe(counted);
    expect(earlier.counted(rule, { object: 'voucher', id: 'D', campaignId: 'camp_2' })).toBe(0);
    expect(earlier.counted(rule, { object: 'voucher', id: 'D' })).toBe(0);
  });

  it('of a voucher without campaign count for itself', () => {
    const voucher = { object: 'voucher', id: 'C' } as const;
    expect(earlier.counted('campaign.redemptions.count', voucher)).toBe(1);
    expect(earlier.counted('campaign.orders.amount', voucher)).toBe(0);
    expect(earlier.counted('campaign.orders.amount_discounted', voucher)).toBe(0);
  });

  it('of a voucher without campaign do not count for a tier or a campaign of its name', () => {
    const counted = (redeemable: Parameters<typeof earlier.counted>[1]) =>
      earlier.counted('campaign.redemptions.count', redeemable);
    expect(counted({ object: 'promotion_tier', id: 'C' })).toBe(0);
    expect(counted({ object: 'voucher', id: 'D', campaignId: 'C' })).toBe(0);
  });
});
