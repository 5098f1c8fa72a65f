import { newId } from '@scrip/kernel';
import { cart, newVoucher, percentOff, post, scrip, useProject } from './single-vouchers.fixture';

useProject();

const lines = { items: [{ product_id: 'prod_lamp', quantity: 2, price: 4_000 }] };
const gift = (amount: number, more: object = {}) => ({
  type: 'GIFT_VOUCHER',
  gift: { amount, ...more },
});
const past = { start_date: '2020-01-01T00:00:00Z', expiration_date: '2020-12-31T00:00:00Z' };

/** A call for one voucher: what the body says beside the voucher. */
interface Case {
  voucher: () => Promise<string> | string;
  body?: Record<string, unknown>;
}

describe('calls for one voucher say what calls for redeemables say of it (reference 03 §5.3, §6.3)', () => {
  const newRule = async (definition: object) =>
    (await scrip.ask<{ id: string }>('POST', '/v1/validation-rules', { name: newId('Rule '), ...definition }))
      .id;
  const ruled = async (rule: object, more: object = {}, voucher: object = percentOff(10)) =>
    newVoucher({
      ...voucher,
      validation_rules: [await newRule({ rules: { 1: rule, logic: '1' }, ...more })],
    });
  const used = async () => {
    const code = await newVoucher({ ...percentOff(10), redemption: { quantity: 1 } });
    await scrip.ask('POST', `/v1/vouchers/${code}/redemption`, {});
    return code;
  };
  const ownReferral = async () => {
    const program = await scrip.ask<{ id: string }>('POST', '/v1/campaigns', {
      ...{ name: newId('Friends '), campaign_type: 'REFERRAL_PROGRAM' },
      voucher: percentOff(10),
    });
    const code = newId('FRIEND-').toUpperCase();
    await scrip.ask('POST', `/v1/campaigns/${program.id}/vouchers/${code}`, {});
    await scrip.ask('POST', '/v1/publications', { voucher: code, customer: { source_id: 'referrer' } });
    return code;
  };

  /** The same as a call for redeemables says it. */
  const stackable = ({ gift: wanted, ...others }: Record<string, unknown>, id: string) => ({
    ...others,
    redeemables: [{ object: 'voucher', id, ...(wanted ? { gift: wanted } : {}) }],
    options: { expand: ['order', 'redemption'] },
  });
  const both = async (code: string, body: Record<string, unknown>) => ({
    alone: await post(`/v1/vouchers/${code}/validate`, body),
    stacked: await post('/v1/validations', stackable(body, code)),
  });

  describe('of what applies', () => {
    const cases: [string, Case][] = [
      ['a discount of the order', { voucher: () => newVoucher(percentOff(20)), body: { order: cart } }],
      [
        'a discount of items',
        { voucher: () => newVoucher(percentOff(20, { effect: 'APPLY_TO_ITEMS' })), body: { order: lines } },
      ],
      ['a discount without an order', { voucher: () => newVoucher(percentOff(20)) }],
      [
        'some credits of a gift card',
        { voucher: () => newVoucher(gift(5_000)), body: { order: cart, gift: { credits: 300 } } },
      ],
      ['as many credits as there are', { voucher: () => newVoucher(gift(5_000)), body: { order: cart } }],
      [
        'a rule that holds for the customer',
        {
          voucher: () => ruled({ name: 'customer.metadata', property: 'vip', conditions: { $is: [true] } }),
          body: { order: cart, customer: { source_id: 'vip-customer', metadata: { vip: true } } },
        },
      ],
    ];

    it.each(cases)('%s', async (_, { voucher, body = {} }) => {
      const code = await voucher();
      const { alone, stacked } = await both(code, body);
      const [redeemable] = stacked.body.redeemables;
      const { discount, gift: spent } = redeemable.result;
      expect(alone).toMatchObject({ status: 200, body: { valid: true, code } });
      expect([
        alone.body.order,
        alone.body.applicable_to,
        alone.body.inapplicable_to,
        alone.body.discount,
        alone.body.gift?.balance,
      ]).toEqual([
        redeemable.order,
        redeemable.applicable_to,
        redeemable.inapplicable_to,
        discount,
        spent?.balance,
      ]);

      const redeemed = await post(`/v1/vouchers/${code}/redemption`, body);
      expect([redeemed.status, redeemed.body]).toMatchObject([
        200,
        { result: 'SUCCESS', status: 'SUCCEEDED', redemption: null, voucher: { code } },
      ]);
      expect(redeemed.body.order?.total_amount).toBe(stacked.body.order?.total_amount);
      expect(redeemed.body.amount).toBe(spent?.credits);
      const kept = await scrip.call('GET', `/v1/redemptions/${redeemed.body.id}`);
      expect(kept.body).toEqual(redeemed.body);
    });

    it('a voucher by its id, with its campaign, dates, metadata and categories', async () => {
      const category = await scrip.ask<{ id: string }>('POST', '/v1/categories', {
        name: newId('Category '),
        hierarchy: 1,
      });
      const made = await scrip.ask<{ id: string; code: string }>('POST', '/v1/campaigns', {
        ...{ name: newId('Single '), campaign_type: 'DISCOUNT_COUPONS' },
        voucher: percentOff(10),
      });
      const code = newId('CODE-').toUpperCase();
      const voucher = await scrip.ask<{ id: string; campaign: string }>(
        'POST',
        `/v1/campaigns/${made.id}/vouchers/${code}`,
        {
          ...{ category_id: category.id, metadata: { shelf: 'A' } },
          ...{ start_date: '2020-01-01T00:00:00.000Z', expiration_date: '2999-01-01T00:00:00.000Z' },
        },
      );
      const { body } = await post(`/v1/vouchers/${voucher.id}/validate`, {
        options: { expand: ['category'] },
      });
      expect(body).toMatchObject({
        ...{ valid: true, code, campaign: voucher.campaign, campaign_id: made.id },
        ...{ metadata: { shelf: 'A' }, categories: [{ id: category.id }] },
        ...{ start_date: '2020-01-01T00:00:00.000Z', expiration_date: '2999-01-01T00:00:00.000Z' },
      });
      expect(body).not.toHaveProperty('order');
      const { body: plain } = await post(`/v1/vouchers/${code}/validate`, {});
      expect(plain).not.toHaveProperty('categories');
    });
  });

  describe('of what does not apply', () => {
    const text = { error: { message: 'Only for large carts' } };
    const largeCart = { name: 'order.amount', conditions: { $more_than: [50_000] } };
    const cases: [string, Case & { key: string; reason: string; message?: string }][] = [
      ['an unknown code', { voucher: () => newId('NONE-'), key: 'not_found', reason: 'voucher not found' }],
      [
        'one that is not active yet',
        {
          voucher: () => newVoucher({ ...percentOff(10), start_date: '2999-01-01T00:00:00Z' }),
          ...{ key: 'voucher_not_active', reason: 'voucher not active' },
        },
      ],
      [
        'an expired one',
        {
          voucher: () => newVoucher({ ...percentOff(10), ...past, metadata: { shelf: 'B' } }),
          ...{ key: 'voucher_expired', reason: 'voucher expired' },
        },
      ],
      [
        'a disabled one',
        {
          voucher: () => newVoucher({ ...percentOff(10), active: false }),
          ...{ key: 'voucher_disabled', reason: 'voucher is disabled' },
        },
      ],
      [
        'one on other days',
        {
          voucher: () => {
            const today = new Date().getUTCDay();
            const others = [0, 1, 2, 3, 4, 5, 6].filter((day) => Math.abs(day - today) % 6 > 1);
            return newVoucher({ ...percentOff(10), validity_day_of_week: others });
          },
          ...{ key: 'voucher_not_active_now', reason: 'voucher not active now' },
        },
      ],
      ['a used one', { voucher: used, key: 'quantity_exceeded', reason: 'quantity exceeded' }],
      [
        'a referral code of who asks',
        {
          voucher: ownReferral,
          body: { customer: { source_id: 'referrer' } },
          key: 'referrer_not_permitted_to_redeem',
          reason: 'voucher cannot be redeemed by referrer',
        },
      ],
      [
        'more credits than a card has',
        {
          voucher: () => newVoucher(gift(500)),
          body: { order: cart, gift: { credits: 501 } },
          ...{ key: 'gift_amount_exceeded', reason: 'gift amount exceeded' },
        },
      ],
      [
        'a rule on the customer',
        {
          voucher: () => ruled({ name: 'customer.metadata', property: 'vip', conditions: { $is: [true] } }),
          body: { customer: { source_id: 'plain-customer' } },
          ...{ key: 'customer_rules_violated', reason: 'customer does not match validation rules' },
        },
      ],
      [
        'a rule on the order',
        {
          voucher: () => ruled(largeCart),
          body: { order: cart },
          ...{ key: 'order_rules_violated', reason: 'order does not match validation rules' },
        },
      ],
      [
        'a rule with a text for customers',
        {
          voucher: () => ruled({ ...largeCart, ...text }),
          body: { order: cart },
          ...{ key: 'order_rules_violated', reason: 'order does not match validation rules' },
          message: text.error.message,
        },
      ],
      [
        'a rule on the redemption',
        {
          voucher: () =>
            ruled({ name: 'redemption.metadata', property: 'till', conditions: { $is: ['T1'] } }),
          body: { metadata: { till: 'T2' } },
          ...{ key: 'redemption_rules_violated', reason: 'redemption does not match validation rules' },
        },
      ],
    ];

    it.each(cases)('%s', async (_, { voucher, body = {}, key, reason, message }) => {
      const code = await voucher();
      const { alone, stacked } = await both(code, body);
      const [{ result }] = stacked.body.inapplicable_redeemables;
      const { error: custom, request_id: __, ...error } = result.error;
      expect(error.key).toBe(key);
      expect([alone.status, alone.body]).toEqual([
        200,
        {
          ...{ valid: false, code, reason, metadata: key === 'voucher_expired' ? { shelf: 'B' } : {} },
          error: {
            ...error,
            message: custom?.message ?? error.message,
            request_id: expect.stringMatching(/^v-/),
          },
          tracking_id: expect.stringMatching(/^track_/),
        },
      ]);
      expect(alone.body.error.message).toBe(message ?? (key === 'not_found' ? 'Resource not found' : reason));

      const refused = await post(`/v1/vouchers/${code}/redemption`, body);
      const together = await post('/v1/redemptions', stackable(body, code));
      const own = { request_id: expect.any(String), resource_id: expect.stringMatching(/^rf_/) };
      expect([refused.status, refused.body]).toEqual([together.status, { ...together.body, ...own }]);
      expect(refused.status).toBe(key === 'not_found' ? 404 : 400);
      const kept = await scrip.call('GET', `/v1/redemptions/${refused.body.resource_id}`);
      expect(kept.body).toMatchObject({ result: 'FAILURE', failure_code: key, order: null });
    });

    it('one without effect, where the project passes it over', async () => {
      const path = `/management/v1/projects/${scrip.credentials.project_id}/stacking-rules`;
      const { body: rules } = await scrip.callAsManager('POST', path, { redeemables_no_effect_rule: 'SKIP' });
      const code = await newVoucher(percentOff(10));
      const { body } = await post(`/v1/vouchers/${code}/validate`, { order: { amount: 0 } });
      const refused = await post(`/v1/vouchers/${code}/redemption`, { order: { amount: 0 } });
      await scrip.callAsManager('DELETE', `${path}/${(rules as { id: string }).id}`);
      const message = 'Redeemable cannot be applied due to no effect';
      expect(body).toMatchObject({
        ...{ valid: false, code, reason: message },
        error: { code: 400, key: 'no_effect', message, details: code },
      });
      expect([refused.status, refused.body.key]).toEqual([400, 'no_applicable_redeemables']);
    });
  });

  describe('of a request that says too little, with 400', () => {
    const ofCustomer = { name: 'customer.metadata', property: 'vip', conditions: { $is: [true] } };
    const toItems = { effect: 'APPLY_TO_ITEMS' };
    const cases: [string, Case][] = [
      ['missing_customer', { voucher: () => ruled(ofCustomer), body: { order: cart } }],
      ['missing_order', { voucher: () => newVoucher(gift(500)) }],
      ['missing_amount', { voucher: () => newVoucher(gift(500)), body: { order: {} } }],
      ['missing_order_items', { voucher: () => newVoucher(gift(500, toItems)), body: { order: cart } }],
      [
        'missing_order_items_amount',
        {
          voucher: () => newVoucher(gift(500, toItems)),
          body: { order: { items: [{ product_id: 'prod_unpriced', quantity: 1 }] } },
        },
      ],
    ];

    it.each(cases)('%s', async (key, { voucher, body = {} }) => {
      const code = await voucher();
      const { alone, stacked } = await both(code, body);
      const [{ result }] = stacked.body.inapplicable_redeemables;
      expect(result.error.key).toBe(key);
      const { message, details } = result.error;
      expect([alone.status, alone.body]).toEqual([
        400,
        { code: 400, key, message, details, request_id: expect.stringMatching(/^v-/) },
      ]);
      expect(await post(`/v1/vouchers/${code}/redemption`, body)).toMatchObject({
        status: 400,
        body: { key, message, details, redeemable_id: code, redeemable_type: 'voucher' },
      });
    });

    it.each<[string, object, number, string, string]>([
      [
        'credits that are no number',
        { gift: { credits: 'all' } },
        400,
        'invalid_payload',
        'Property .gift.credits must be integer',
      ],
      [
        'an order that is canceled',
        { order: { status: 'CANCELED' } },
        400,
        'invalid_order',
        'An order cannot be redeemed with status CANCELED',
      ],
      [
        'a customer that nobody has',
        { customer: { id: 'cust_none' } },
        404,
        'not_found',
        'Cannot find customer with id cust_none',
      ],
      [
        'an order that nobody has',
        { order: { id: 'ord_none' } },
        404,
        'not_found',
        'Cannot find order with id ord_none',
      ],
    ])('or that cannot be read: %s', async (_, body, status, key, details) => {
      const code = await newVoucher(percentOff(10));
      for (const call of ['validate', 'redemption']) {
        const answer = await post(`/v1/vouchers/${code}/${call}`, body);
        expect([call, answer.status, answer.body]).toMatchObject([call, status, { key, details }]);
      }
    });
  });
});
