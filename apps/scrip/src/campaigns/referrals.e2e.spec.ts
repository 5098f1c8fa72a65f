import { waitUntil } from '@scrip/testing';
import {
  codeOf,
  fresh,
  holdersOf,
  programOf,
  published,
  refusal,
  scrip,
  useProject,
} from './referrals.fixture';

useProject();

describe('referral programs over HTTP (reference 04 §11)', () => {
  const redeeming = (code: string, customer?: object) => ({
    redeemables: [{ object: 'voucher', id: code }],
    ...(customer && { customer }),
    order: { amount: 10_000 },
  });

  describe('a code', () => {
    it('is neither validated nor redeemed by its referrer', async () => {
      const { code, referrer } = await published(await programOf());
      const { valid, redeemables } = await scrip.ask<any>(
        'POST',
        '/v1/validations',
        redeeming(code, { source_id: referrer }),
      );
      expect(valid).toBe(false);
      expect(redeemables[0].result.error).toMatchObject({
        key: 'referrer_not_permitted_to_redeem',
        message: 'voucher cannot be redeemed by referrer',
        details: code,
      });
      const refused = await scrip.call('POST', '/v1/redemptions', redeeming(code, { source_id: referrer }));
      expect(refusal(refused)).toEqual([
        400,
        'referrer_not_permitted_to_redeem',
        'voucher cannot be redeemed by referrer',
        code,
      ]);
      const friend = redeeming(code, { source_id: fresh('friend') });
      expect((await scrip.ask<any>('POST', '/v1/validations', friend)).valid).toBe(true);
      expect((await scrip.call('POST', '/v1/redemptions', friend)).status).toBe(200);
    });

    it('is redeemed with a customer, once it is published', async () => {
      const campaign = await programOf();
      const unpublished = await codeOf(campaign);
      const { code } = await published(campaign);
      const keyOf = async (body: object) => (await scrip.call('POST', '/v1/redemptions', body)).body.key;
      expect(await keyOf(redeeming(unpublished, { source_id: 'anyone' }))).toBe('not_published');
      expect(await keyOf(redeeming(code))).toBe('missing_customer');
    });
  });

  describe('a redemption', () => {
    const customerOf = (id: string) => scrip.ask<any>('GET', `/v1/customers/${id}`);
    const referrals = (id: string, total: number) =>
      waitUntil(async () => (await customerOf(id)).referrals.total === total, { what: `${total} referrals` });

    it('refers its customer once in the campaign, until it is rolled back', async () => {
      const campaign = await programOf();
      const { code, id, referrerId } = await published(campaign);
      const other = await published(campaign);
      const friend = await scrip.ask<any>('POST', '/v1/customers', { source_id: fresh('friend') });
      const redeem = async (named: string): Promise<string> => {
        const body = redeeming(named, { id: friend.id });
        return (await scrip.ask<any>('POST', '/v1/redemptions', body)).redemptions[0].id;
      };
      const redemption = await redeem(code);
      await referrals(friend.id, 1);
      await redeem(other.code);
      await redeem(code);
      const { data } = await scrip.ask<any>('GET', `${holdersOf(code)}?order=id`);
      expect(data.map((one: any) => [one.holder_role, one.customer_id])).toEqual([
        ['REFERRER', referrerId],
        ['REFEREE', friend.id],
      ]);
      const activities = `/v1/customers/${friend.id}/activity`;
      const referred = await waitUntil(
        async () => {
          const { data: told } = await scrip.ask<any>('GET', activities);
          return told.find((one: any) => one.type === 'customer.referred');
        },
        { what: 'the activity' },
      );
      expect(referred.data.data).toMatchObject({
        customer: { id: friend.id },
        referrer: { id: referrerId },
        campaign: { id: campaign.id },
        voucher: { code },
        custom_event: null,
        redemption: { id: redemption },
      });
      expect((await customerOf(friend.id)).referrals).toEqual({
        total: 1,
        campaigns: [
          {
            campaign_id: campaign.id,
            referrer_id: referrerId,
            related_object_id: redemption,
            related_object_type: 'redemption',
            date: expect.any(String),
          },
        ],
      });
      expect((await customerOf(referrerId)).loyalty).toMatchObject({
        referred_customers: 1,
        campaigns: { [campaign.name]: { points: 0, referred_customers: 1 } },
      });
      expect((await customerOf(other.referrerId)).loyalty.referred_customers).toBe(0);
      expect((await scrip.call('POST', `/v1/redemptions/${redemption}/rollback`, {})).status).toBe(200);
      await referrals(friend.id, 0);
      expect((await customerOf(referrerId)).loyalty).toEqual({
        points: 0,
        referred_customers: 0,
        campaigns: {},
      });
      expect(await scrip.ask('GET', holdersOf(id))).toMatchObject({ total: 2 });
      await redeem(other.code);
      await referrals(friend.id, 1);
      expect((await customerOf(other.referrerId)).loyalty.referred_customers).toBe(1);
    });

    describe('that is rolled back', () => {
      const redeemed = (codes: string[], request: object) =>
        scrip.ask<any>('POST', '/v1/redemptions', {
          redeemables: codes.map((id) => ({ object: 'voucher', id })),
          ...{ order: { amount: 10_000 }, ...request },
        });
      const rolledBack = (id: string, kind: 'rollback' | 'rollbacks') =>
        scrip.ask<any>('POST', `/v1/redemptions/${id}/${kind}`, {});
      const usesOf = async (code: string): Promise<number> =>
        (await scrip.ask<any>('GET', `/v1/vouchers/${code}`)).redemption.redeemed_quantity;
      const referredOf = async ({ referrerId }: { referrerId: string }): Promise<number> =>
        (await customerOf(referrerId)).loyalty.referred_customers;

      it('gives back the use, the discount and the referrer of the order (reference 03 §6.1, §9)', async () => {
        const used = await published(await programOf());
        const friend = fresh('friend');
        const { order, redemptions } = await redeemed([used.code], { customer: { source_id: friend } });
        const referrer = { id: used.referrerId, object: 'customer' };
        expect(order).toMatchObject({ referrer_id: used.referrerId, referrer, total_amount: 9_000 });
        await referrals(friend, 1);
        expect([await usesOf(used.code), await referredOf(used)]).toEqual([1, 1]);
        const rollback = await rolledBack(redemptions[0].id, 'rollback');
        expect(rollback).toMatchObject({
          ...{ object: 'redemption_rollback', redemption: redemptions[0].id, result: 'SUCCESS' },
          order: { id: order.id, status: 'CANCELED', total_amount: 10_000, referrer_id: null },
          voucher: { code: used.code, is_referral_code: true, redemption: { redeemed_quantity: 0 } },
        });
        await referrals(friend, 0);
        expect([await usesOf(used.code), await referredOf(used)]).toEqual([0, 0]);
        const stored = await scrip.ask<any>('GET', `/v1/orders/${order.id}`);
        expect(stored).toMatchObject({ status: 'CANCELED', referrer_id: null });
        expect(stored.redemptions[redemptions[0].id]).toMatchObject({ rollback_id: rollback.id });
        // Rewards and assignments stay: reference 03 §9, reference 04 §11.
        const { data } = await scrip.ask<any>('GET', holdersOf(used.code));
        expect(data.map((one: any) => one.holder_role).sort()).toEqual(['REFEREE', 'REFERRER']);
      });

      it('in a stack takes back the referral of its code', async () => {
        const used = await published(await programOf());
        const coupon = fresh('COUPON');
        await scrip.ask('POST', `/v1/vouchers/${coupon}`, {
          ...{ type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 500 } },
        });
        const friend = fresh('friend');
        const customer = { source_id: friend };
        const { parent_redemption, redemptions } = await redeemed([coupon, used.code], { customer });
        await referrals(friend, 1);
        const [referral] = (await customerOf(friend)).referrals.campaigns;
        expect(referral.related_object_id).toBe(redemptions[1].id);
        await rolledBack(parent_redemption.id, 'rollbacks');
        await referrals(friend, 0);
        expect([await usesOf(used.code), await referredOf(used)]).toEqual([0, 0]);
      });

      it('takes back no referral that another redemption made, nor a referrer that no code named', async () => {
        const campaign = await programOf();
        const [first, second] = [await published(campaign), await published(campaign)];
        const friend = fresh('friend');
        const customer = { source_id: friend };
        const { order } = await redeemed([first.code], { customer });
        await referrals(friend, 1);
        // The customer was referred before: the second code converts nothing.
        const later = await redeemed([second.code], { customer, order: { id: order.id } });
        expect(later.order.referrer_id).toBe(first.referrerId);
        await rolledBack(later.redemptions[0].id, 'rollback');
        const named = await scrip.ask<any>('POST', '/v1/orders', {
          ...{ amount: 10_000, referrer: { source_id: fresh('named') } },
        });
        const another = fresh('friend');
        const third = await redeemed([second.code], {
          ...{ customer: { source_id: another }, order: { id: named.id } },
        });
        expect(third.order.referrer_id).toBe(named.referrer_id);
        await referrals(another, 1);
        await rolledBack(third.redemptions[0].id, 'rollback');
        expect((await scrip.ask<any>('GET', `/v1/orders/${named.id}`)).referrer_id).toBe(named.referrer_id);
        expect((await scrip.ask<any>('GET', `/v1/orders/${order.id}`)).referrer_id).toBe(first.referrerId);
        await waitUntil(async () => (await referredOf(second)) === 0, { what: 'no referral of the second' });
        expect([(await customerOf(friend)).referrals.total, await referredOf(first)]).toEqual([1, 1]);
      });
    });
  });
});
