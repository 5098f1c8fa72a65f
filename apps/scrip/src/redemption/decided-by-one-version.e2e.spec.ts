import { newId } from '@scrip/kernel';
import { type SharedScrip, sharedScrip } from '@scrip/testing';
import { racing } from './racing.fixture';

/** What a race is about: a code of a campaign with a rule that holds. */
interface Raced {
  readonly code: string;
  readonly campaign: string;
  readonly rule: string;
}

describe('a code that is redeemed while it is decided about', () => {
  let scrip: SharedScrip;
  let never: string;

  const ruleOf = async (least: number): Promise<string> => {
    const rules = { 1: { name: 'order.amount', conditions: { $more_than_or_equal: [least] } } };
    const { id } = await scrip.ask<{ id: string }>('POST', '/v1/validation-rules', {
      name: newId('Rule '),
      rules,
    });
    return id;
  };

  beforeAll(async () => {
    scrip = await sharedScrip();
    never = await ruleOf(1_000_000);
  }, 240_000);

  const raced = async (): Promise<Raced> => {
    const rule = await ruleOf(1);
    const { id: campaign } = await scrip.ask<{ id: string }>('POST', '/v1/campaigns', {
      ...{ name: newId('Raced '), campaign_type: 'DISCOUNT_COUPONS', validation_rules: [rule] },
      voucher: {
        ...{ type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 10 } },
        redemption: { quantity: null },
      },
    });
    const code = newId('RACED-').toUpperCase();
    await scrip.ask('POST', `/v1/campaigns/${campaign}/vouchers/${code}`, {});
    return { code, campaign, rule };
  };

  const redeem = (code: string) =>
    scrip.call('POST', '/v1/redemptions', {
      ...{ redeemables: [{ object: 'voucher', id: code }], order: { amount: 1_000 } },
    });

  it.each<[string, (of: Raced) => Promise<{ status: number }>, string]>([
    ['its switch', ({ code }) => scrip.call('POST', `/v1/vouchers/${code}/disable`), 'voucher_disabled'],
    [
      'the switch of its campaign',
      ({ campaign }) => scrip.call('POST', `/v1/campaigns/${campaign}/disable`),
      'voucher_disabled',
    ],
    [
      'an earlier end of its campaign',
      ({ campaign }) =>
        scrip.call('PUT', `/v1/campaigns/${campaign}`, { expiration_date: '2020-01-01T00:00:00Z' }),
      'voucher_expired',
    ],
    [
      'a change of its rule',
      ({ rule }) =>
        scrip.call('PUT', `/v1/validation-rules/${rule}`, {
          rules: { 1: { name: 'order.amount', conditions: { $more_than_or_equal: [1_000_000] } } },
        }),
      'order_rules_violated',
    ],
    [
      'another rule of its campaign',
      ({ campaign }) =>
        scrip.call('POST', `/v1/validation-rules/${never}/assignments`, {
          ...{ related_object_type: 'campaign', related_object_id: campaign },
        }),
      'order_rules_violated',
    ],
    ['its deletion', ({ code }) => scrip.call('DELETE', `/v1/vouchers/${code}`), 'not_found'],
    [
      'the deletion of its campaign',
      ({ campaign }) => scrip.call('DELETE', `/v1/campaigns/${campaign}`),
      'not_found',
    ],
  ])(
    'is refused to every call that begins once %s was answered, and counts all others',
    async (_, end, key) => {
      const of = await raced();
      const { after, succeeded } = await racing(
        () => redeem(of.code),
        () => end(of),
      );
      expect(after).toEqual(Array(5).fill(key));
      if (key === 'not_found') return;
      const { body } = await scrip.call('GET', `/v1/vouchers/${of.code}`);
      expect(body.redemption.redeemed_quantity).toBe(succeeded);
    },
  );
});
