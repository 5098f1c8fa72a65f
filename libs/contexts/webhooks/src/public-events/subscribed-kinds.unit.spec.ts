import { webhookKinds } from './kinds';
import { subscribedKinds } from './subscribed-kinds';

describe('the kinds a webhook subscribes to (reference 06 §6.1)', () => {
  it('knows the 61 project kinds', () => {
    expect(new Set(webhookKinds).size).toBe(61);
    expect(subscribedKinds(webhookKinds)).toEqual({ kinds: webhookKinds });
  });

  it.each([
    [
      ['voucher.created', 'voucher.created', 'customer.updated'],
      ['voucher.created', 'customer.updated'],
    ],
    [['voucher.gift.balance_aded'], ['voucher.gift.balance_added']],
    [
      ['voucher.loyalty_card.points_aded', 'voucher.loyalty_card.points_added'],
      ['voucher.loyalty_card.points_added'],
    ],
    [['voucher.loyalty_card.pending_points.aded'], ['voucher.loyalty_card.pending_points.added']],
    [['*'], ['*']],
    [['voucher.created', '*'], ['*']],
  ])('reads %j as %j', (events, kinds) => {
    expect(subscribedKinds(events)).toEqual({ kinds });
  });

  it.each([
    [[], 'Property .events should NOT have fewer than 1 items'],
    [[7], 'Property .events[0] must be string'],
    [
      ['voucher.created', 'EVENTS.VOUCHER.CREATED'],
      `Property .events[1] should be equal to one of the allowed values [ ${webhookKinds.join(', ')} ]`,
    ],
    [
      ['customer.order.paid'],
      `Property .events[0] should be equal to one of the allowed values [ ${webhookKinds.join(', ')} ]`,
    ],
  ])('refuses %j', (events, details) => {
    expect(subscribedKinds(events)).toEqual({ refused: 'invalid_payload', details });
  });
});
