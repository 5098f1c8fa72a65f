import { type CountedObject, scopesRuledBy } from './ruled-scopes';

const campaign: CountedObject = { type: 'campaign', id: 'camp_1', campaign_id: null };
const code: CountedObject = { type: 'voucher', id: 'v_1', campaign_id: 'camp_1' };
const single: CountedObject = { type: 'voucher', id: 'v_1', campaign_id: null };
const tier: CountedObject = { type: 'promotion_tier', id: 'promo_1', campaign_id: 'camp_1' };

describe('a rule counts (reference 02 §3.3)', () => {
  it.each<[string, CountedObject, string, string]>([
    ['campaign.redemptions.count', campaign, 'campaign:camp_1', 'all'],
    ['campaign.redemptions.count.daily', campaign, 'campaign:camp_1', 'all'],
    ['campaign.redemptions.customers_count', campaign, 'campaign:camp_1', 'customer'],
    ['campaign.orders.amount', code, 'campaign:camp_1', 'all'],
    ['campaign.redemptions.count', tier, 'campaign:camp_1', 'all'],
    ['campaign.redemptions.count', single, 'voucher:v_1', 'all'],
    ['redemption.count.per_customer', campaign, 'incentives:camp_1', 'customer'],
    ['redemption.count.per_api_key', code, 'voucher:v_1', 'api_key'],
    ['redemption.count.per_user', tier, 'promotion_tier:promo_1', 'user'],
  ])('%s of %j: %s by %s', (name, of, object, counted_by) =>
    expect(scopesRuledBy([name], of)).toMatchObject([{ object, counted_by }]),
  );

  it.each<[string, string, CountedObject, boolean]>([
    ['campaign.redemptions.count', 'a campaign', campaign, true],
    ['redemption.count.per_customer', 'the incentives of a campaign', campaign, true],
    ['redemption.count.per_customer', 'a code', code, true],
    ['campaign.redemptions.count', 'the campaign of a code', code, false],
    ['campaign.redemptions.count', 'a code without campaign', single, true],
  ])('%s of %s from nothing where the object is new: %j %s', (name, _, object, isNew) =>
    expect(scopesRuledBy([name], { ...object, isNew: true }).map((scope) => scope.isNew ?? false)).toEqual([
      isNew,
    ]),
  );

  it('nothing for what has no redemptions', () =>
    expect(
      scopesRuledBy(['redemption.count.per_customer'], {
        type: 'distribution',
        id: 'd_1',
        campaign_id: null,
      }),
    ).toEqual([]));
});
