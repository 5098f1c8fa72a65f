import { isRefused } from '@scrip/kernel';
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
    { id: 'A', campaignId: 'camp_1' },
    { before: orderOf(5000, 100, 20), after: orderOf(5000, 350, 70), result: {} },
  );
  earlier.add(
    { id: 'B', campaignId: 'camp_1' },
    {
      before: orderOf(5000, 350, 70),
      after: orderOf(5000, 950, 70),
      result: { gift: { balance: 900, credits: 600 } },
    },
  );
  earlier.add({ id: 'C' }, { before: null, after: null, result: {} });

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
    expect(earlier.counted(rule, { id: 'D', campaignId: 'camp_1' })).toBe(counted);
    expect(earlier.counted(rule, { id: 'D', campaignId: 'camp_2' })).toBe(0);
    expect(earlier.counted(rule, { id: 'D' })).toBe(0);
  });

  it('of a voucher without campaign count for itself', () => {
    expect(earlier.counted('campaign.redemptions.count', { id: 'C' })).toBe(1);
    expect(earlier.counted('campaign.orders.amount', { id: 'C' })).toBe(0);
    expect(earlier.counted('campaign.orders.amount_discounted', { id: 'C' })).toBe(0);
  });
});
