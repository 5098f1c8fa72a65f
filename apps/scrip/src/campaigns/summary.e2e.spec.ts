import { type SharedScrip, sharedScrip, waitUntil } from '@scrip/testing';

describe('the summary of a campaign over HTTP (reference 04 §4.9)', () => {
  let scrip: SharedScrip;

  beforeAll(async () => {
    scrip = await sharedScrip();
  }, 240_000);

  /** A campaign with the codes. */
  const campaignOf = async (campaign_type: string, voucher: object, codes: string[]): Promise<string> => {
    const body = { name: `Sums of ${codes[0]}`, campaign_type, voucher };
    const { id } = await scrip.ask<{ id: string }>('POST', '/v1/campaigns', body);
    for (const code of codes) await scrip.ask('POST', `/v1/campaigns/${id}/vouchers/${code}`, {});
    return id;
  };

  const untilSummed = (id: string, sums: Record<string, number>): Promise<unknown> => {
    let summary: Record<string, unknown> = {};
    const isSummed = async () => {
      ({ body: summary } = await scrip.call('GET', `/v1/campaigns/${id}/summary`));
      return Object.entries(sums).every(([name, sum]) => summary[name] === sum);
    };
    return waitUntil(isSummed, { what: `the sums ${JSON.stringify(sums)}` }).catch((error: unknown) => {
      expect(summary).toMatchObject(sums);
      throw error;
    });
  };

  const using = (codes: string[], fields: object = {}) => ({
    redeemables: codes.map((id) => ({ object: 'voucher', id })),
    order: { amount: 10_000 },
    ...fields,
  });

  it('counts each redeemable of validations, redemptions and rollbacks, those that failed too', async () => {
    const once = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1_000 } };
    const id = await campaignOf('DISCOUNT_COUPONS', { ...once, redemption: { quantity: 1 } }, [
      'SUM-A',
      'SUM-B',
    ]);
    const outside = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } };
    await scrip.ask('POST', '/v1/vouchers', { ...outside, code: 'SUM-OUTSIDE' });
    const stack = using(['SUM-A', 'SUM-B', 'SUM-OUTSIDE']);
    await scrip.ask('POST', '/v1/validations', stack);
    const { parent_redemption } = await scrip.ask<any>('POST', '/v1/redemptions', stack);
    await scrip.ask('POST', '/v1/validations', using(['SUM-A']));
    expect((await scrip.call('POST', '/v1/redemptions', using(['SUM-A']))).status).toBe(400);
    const rollback = `/v1/redemptions/${parent_redemption.id}/rollbacks`;
    await scrip.ask('POST', rollback, {});
    expect((await scrip.call('POST', rollback, {})).status).toBe(400);
    await untilSummed(id, {
      ...{ validations: 3, validations_succeeded: 2, validations_failed: 1 },
      ...{ redemptions: 3, redemptions_succeeded: 2, redemptions_failed: 1 },
      ...{ orders_amount: 20_000, orders_rolledback_amount: 20_000 },
      ...{ discounted_amount: 2_000, rolledback_discounted_amount: 2_000 },
      ...{ rollbacks_succeeded: 2, vouchers_created: 2 },
    });
  });

  it('counts credits that were spent and given back, and customers that were referred', async () => {
    const gift = { type: 'GIFT_VOUCHER', gift: { amount: 5_000 } };
    const cards = await campaignOf('GIFT_VOUCHERS', gift, ['SUM-CARD']);
    const spent = await scrip.ask<any>(
      'POST',
      '/v1/redemptions',
      using(['SUM-CARD'], { order: { amount: 300 } }),
    );
    await scrip.ask('POST', `/v1/redemptions/${spent.redemptions[0].id}/rollback`, {});
    const discount = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } };
    const program = await campaignOf('REFERRAL_PROGRAM', discount, ['SUM-FRIEND']);
    await scrip.ask('POST', '/v1/publications', {
      voucher: 'SUM-FRIEND',
      customer: { source_id: 'sum-ada' },
    });
    await scrip.ask('POST', '/v1/redemptions', using(['SUM-FRIEND'], { customer: { source_id: 'sum-bea' } }));
    await untilSummed(cards, {
      ...{ created_vouchers_amount: 5_000, amount_redeemed: 300, amount_rolledback: 300 },
      ...{ redemptions_succeeded: 1, rollbacks_succeeded: 1 },
    });
    await untilSummed(program, {
      referred_customers: 1,
      publications_succeeded: 1,
      redemptions_succeeded: 1,
    });
  });
});
