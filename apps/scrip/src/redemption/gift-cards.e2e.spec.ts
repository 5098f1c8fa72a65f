import { newId } from '@scrip/kernel';
import { type ScripProject, sharedScrip, waitUntil } from '@scrip/testing';
import { type Shop, answered, shopOf } from './shop.fixture';

interface Gift {
  amount: number;
  subtracted_amount: number;
  balance: number;
}
interface Card {
  id: string;
  gift: Gift;
  redemption: { redeemed_quantity: number; redeemed_amount: number };
}
interface Entry {
  id: string;
  type: string;
  source_id: string | null;
  source: string | null;
  reason: string | null;
  related_transaction_id: string | null;
  details: {
    balance: { amount: number; total: number; balance: number; operation_type: string };
    order?: { id: string; source_id: string | null };
    redemption?: { id: string };
    rollback?: { id: string };
  };
}
interface Redeemed {
  key?: string;
  details?: string;
  redemptions: { id: string; amount?: number; gift?: { amount: number }; voucher: Card }[];
  order: { id: string; total_amount: number };
}

describe('gift cards', () => {
  let scrip: ScripProject;
  let shop: Shop;

  beforeAll(async () => {
    scrip = await sharedScrip();
    shop = shopOf(scrip.call);
  });

  const newCard = async (
    amount: number,
    { campaign = {}, gift = {}, redemption = {} }: Record<string, object> = {},
  ) => {
    const code = newId('GIFT-').toUpperCase();
    const { status, body } = await shop.post('/v1/campaigns', {
      name: `Cards of ${code}`,
      campaign_type: 'GIFT_VOUCHERS',
      type: 'STANDALONE',
      ...campaign,
      voucher: { type: 'GIFT_VOUCHER', code, gift: { amount, ...gift }, redemption },
    });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return code;
  };
  const cardOf = async (code: string): Promise<Card> => (await shop.get<Card>(`/v1/vouchers/${code}`)).body;
  const giftCard = (code: string, credits?: number) => ({
    object: 'voucher',
    id: code,
    ...(credits === undefined ? {} : { gift: { credits } }),
  });
  const redeem = (code: string, order?: object, credits?: number, headers?: Record<string, string>) =>
    shop.post<Redeemed>(
      '/v1/redemptions',
      { redeemables: [giftCard(code, credits)], ...(order && { order }) },
      headers,
    );
  const validate = async (code: string, order?: object, credits?: number) => {
    const { body } = await shop.post<{
      valid: boolean;
      redeemables: any[];
      inapplicable_redeemables?: any[];
    }>('/v1/validations', { redeemables: [giftCard(code, credits)], ...(order && { order }) });
    return { valid: body.valid, redeemable: body.redeemables[0] ?? body.inapplicable_redeemables?.[0] };
  };
  /** Entries follow the answer of a redemption within moments. */
  const entriesOf = (code: string, count: number): Promise<Entry[]> =>
    waitUntil(
      async () => {
        const { body } = await shop.get<{ data: Entry[] }>(`/v1/vouchers/${code}/transactions`);
        return body.data.length >= count && body.data;
      },
      { what: `${count} transactions` },
    );

  it('go through the table of reference 04 §6.1', async () => {
    const code = await newCard(10_000);
    const adjust = (amount: number) => shop.post(`/v1/vouchers/${code}/balance`, { amount });
    const rows: number[][] = [];
    const note = async () => {
      const { gift, redemption } = await cardOf(code);
      const { amount, subtracted_amount, balance } = gift;
      rows.push([amount, subtracted_amount, redemption.redeemed_amount, amount - subtracted_amount, balance]);
    };
    await note();
    await redeem(code, { amount: 3_000 });
    await note();
    await adjust(2_500);
    await note();
    await adjust(-4_000);
    await note();
    expect(rows).toEqual([
      [10_000, 0, 0, 10_000, 10_000],
      [10_000, 0, 3_000, 10_000, 7_000],
      [12_500, 0, 3_000, 12_500, 9_500],
      [12_500, 4_000, 3_000, 8_500, 5_500],
    ]);
  });

  it('pay what they are asked for, show it, and have it back after a rollback', async () => {
    const code = await newCard(10_000);
    expect(await validate(code, { amount: 5_000 }, 2_000)).toMatchObject({
      valid: true,
      redeemable: { result: { gift: { balance: 10_000, credits: 2_000 } }, order: { total_amount: 3_000 } },
    });
    const { status, body } = await redeem(code, { source_id: `paid-${code}`, amount: 5_000 }, 2_000);
    const [redemption] = body.redemptions;
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { redemptions: [{ amount: 2_000, gift: { amount: 2_000 } }], order: { total_amount: 3_000 } },
    });
    expect(redemption!.voucher).toMatchObject({
      gift: { amount: 10_000, balance: 8_000 },
      redemption: { redeemed_quantity: 1, redeemed_amount: 2_000 },
    });
    const order = { id: body.order.id, source_id: `paid-${code}` };
    const entry = { source_id: null, source: null, reason: null };
    const [spent] = await entriesOf(code, 1);
    expect(spent).toMatchObject({
      ...entry,
      type: 'CREDITS_REDEMPTION',
      related_transaction_id: null,
      details: {
        balance: { amount: -2_000, total: 10_000, balance: 8_000, operation_type: 'AUTOMATIC' },
        order,
        redemption: { id: redemption!.id },
      },
    });
    const undone = await shop.post<{ id: string }>(`/v1/redemptions/${redemption!.id}/rollback`, {});
    expect(undone).toMatchObject({
      status: 200,
      body: { amount: -2_000, gift: { amount: -2_000 }, order: { total_amount: 5_000 } },
    });
    expect(await cardOf(code)).toMatchObject({
      gift: { amount: 10_000, balance: 10_000 },
      redemption: { redeemed_quantity: 0, redeemed_amount: 0 },
    });
    const [refund] = await entriesOf(code, 2);
    expect(refund).toMatchObject({
      ...entry,
      type: 'CREDITS_REFUND',
      related_transaction_id: spent!.id,
      details: {
        balance: { amount: 2_000, total: 10_000, balance: 10_000 },
        order,
        redemption: { id: redemption!.id },
        rollback: { id: undone.body.id },
      },
    });
  });

  it('pay as much as balance and order allow where no credits are named, and burn no more', async () => {
    const code = await newCard(1_000);
    expect((await redeem(code, { amount: 300 })).body.redemptions[0]).toMatchObject({ amount: 300 });
    expect((await redeem(code, { amount: 300 }, 500)).body.redemptions[0]).toMatchObject({ amount: 300 });
    expect((await redeem(code, { amount: 900 })).body).toMatchObject({
      redemptions: [{ amount: 400 }],
      order: { total_amount: 500 },
    });
    expect((await cardOf(code)).gift.balance).toBe(0);
  });

  it.each([
    ['more credits than are there', { amount: 5_000 }, 1_001, 'gift_amount_exceeded', 'gift amount exceeded'],
    ['no order', undefined, 100, 'missing_order', 'Missing order'],
    ['no amount', { metadata: {} }, 100, 'missing_amount', 'Missing amount'],
  ])('are refused with %s', async (_, order, credits, key, message) => {
    const code = await newCard(1_000);
    expect((await validate(code, order, credits)).redeemable).toMatchObject({
      result: { error: { key, message } },
    });
    expect(await redeem(code, order, credits)).toMatchObject({ status: 400, body: { key } });
    expect((await cardOf(code)).gift.balance).toBe(1_000);
  });

  it.each([
    ['no items', { amount: 100 }, 'missing_order_items'],
    [
      'items without amounts',
      { items: [{ product_id: 'prod_gift', quantity: 1 }] },
      'missing_order_items_amount',
    ],
  ])('that pay items are refused with %s', async (_, order, key) => {
    const code = await newCard(1_000, { gift: { effect: 'APPLY_TO_ITEMS' } });
    expect(await redeem(code, order, 50)).toMatchObject({ status: 400, body: { key } });
  });

  it('tell their holder what is left on them', async () => {
    const [first, second] = [await newCard(5_000), await newCard(700)];
    const source_id = newId('holder-');
    for (const voucher of [first, second])
      expect((await shop.post('/v1/publications', { voucher, customer: { source_id } })).status).toBe(200);
    const untilLeft = (amount: number) =>
      waitUntil(
        async () => {
          const { body } = await shop.get<{ summary: any }>(`/v1/customers/${source_id}`);
          return body.summary.redemptions.gift.amount_to_go === amount;
        },
        { what: `${amount} to be left` },
      );
    await untilLeft(5_700);
    const { body } = await redeem(first, { amount: 10_000 }, 2_000);
    await untilLeft(3_700);
    await shop.post(`/v1/redemptions/${body.redemptions[0]!.id}/rollback`, {});
    await shop.post(`/v1/vouchers/${second}/balance`, { amount: 50 });
    await untilLeft(5_750);
    expect(await scrip.call('DELETE', `/v1/vouchers/${second}`)).toMatchObject({ status: 204 });
    await untilLeft(5_000);
  });

  it('refuse credits that are no amount', async () => {
    const code = await newCard(1_000);
    expect(await redeem(code, { amount: 100 }, -1)).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details: 'Property .redeemables[0].gift.credits must be >= 0' },
    });
  });

  it('pay items in their sequence', async () => {
    const code = await newCard(1_000, { gift: { effect: 'APPLY_TO_ITEMS' } });
    const items = [
      { product_id: 'prod_cup', price: 700, quantity: 1 },
      { product_id: 'prod_pot', price: 700, quantity: 1 },
    ];
    const { body } = await shop.post<any>('/v1/redemptions', {
      redeemables: [giftCard(code)],
      order: { items },
    });
    expect(body.order.items.map((item: { discount_amount: number }) => item.discount_amount)).toEqual([
      700, 300,
    ]);
  });

  it('obey the limit of uses, dates and switches like other vouchers', async () => {
    const once = await newCard(1_000, { redemption: { quantity: 1 } });
    expect((await redeem(once, { amount: 100 })).status).toBe(200);
    expect(await redeem(once, { amount: 100 })).toMatchObject({ body: { key: 'quantity_exceeded' } });
    const expired = await newCard(1_000, { campaign: { expiration_date: '2001-01-01' } });
    expect(await redeem(expired, { amount: 100 })).toMatchObject({ body: { key: 'voucher_expired' } });
  });

  it('stand in a stack: the card first, then what is left', async () => {
    const code = await newCard(100);
    const coupon = await shop.newCode(1, { type: 'AMOUNT', amount_off: 8_000 });
    const redeemables = [giftCard(code, 100), { object: 'voucher', id: coupon }];
    const { body } = await shop.post<any>('/v1/redemptions', { redeemables, order: { amount: 200_000 } });
    expect(body.order).toMatchObject({ total_discount_amount: 8_100, total_amount: 191_900 });
    const [card] = body.redemptions;
    expect(card).toMatchObject({ amount: 100, gift: { amount: 100 } });
    expect((await entriesOf(code, 1))[0]!.details.redemption).toEqual({ id: card.id });
    const undone = await shop.post<any>(`/v1/redemptions/${body.parent_redemption.id}/rollbacks`, {});
    expect(undone.body.rollbacks[0]).toMatchObject({ amount: -100, gift: { amount: -100 } });
    expect((await cardOf(code)).gift.balance).toBe(100);
  });

  it('have their transactions exported, of a card and of a campaign', async () => {
    const code = await newCard(1_000);
    const { body: card } = await shop.get<any>(`/v1/vouchers/${code}`);
    await shop.post(`/v1/vouchers/${code}/balance`, {
      amount: 200,
      source_id: 'refill-1',
      reason: 'Birthday',
    });
    await redeem(code, { amount: 300 });
    await entriesOf(code, 2);
    const linesOf = async (path: string, parameters: object): Promise<string[]> => {
      const { status, body } = await shop.post<any>(path, { parameters });
      expect({ status, body }).toMatchObject({
        status: 200,
        body: {
          object: 'export',
          status: 'SCHEDULED',
          exported_object: 'voucher_transactions',
          result: null,
        },
      });
      const done = await waitUntil(
        async () => {
          const { body: shown } = await shop.get<any>(`/v1/exports/${body.id}`);
          return shown.status === 'DONE' && shown;
        },
        { what: 'the file' },
      );
      const file = await (await fetch(done.result.url)).text();
      return [JSON.stringify(body.parameters.filters), ...file.trim().split('\r\n')];
    };
    const fields = ['type', 'source_id', 'reason', 'source', 'amount', 'balance', 'status'];
    const additions = ['CREDITS_ADDITION,refill-1,Birthday,API,200,1200,', 'CREDITS_REDEMPTION,,,,-300,900,'];
    const [filters, , ...ofCard] = await linesOf(`/v1/vouchers/${code}/transactions/export`, {
      fields,
      order: 'created_at',
      filters: { voucher_id: { conditions: { $is: ['v_other'] } } },
    });
    expect(JSON.parse(filters!)).toEqual({ junction: 'and', voucher_id: { conditions: { $in: [card.id] } } });
    expect(ofCard).toEqual(additions);
    const [, , ...ofCampaign] = await linesOf(`/v1/campaigns/${card.campaign_id}/transactions/export`, {
      fields,
      filters: { junction: 'or', created_at: { conditions: { $after: ['2001-01-01'] } } },
    });
    expect(ofCampaign).toEqual([...additions].reverse());
  });

  it('are the only ones with transactions to export', async () => {
    const coupon = await shop.newCode(1);
    const { body } = await shop.get<any>(`/v1/vouchers/${coupon}`);
    expect(await shop.post(`/v1/campaigns/${body.campaign_id}/transactions/export`, {})).toMatchObject({
      status: 403,
      body: { key: 'forbidden', details: 'Transactions are allowed only for loyalty or gift campaigns' },
    });
    for (const [kind, path] of [
      ['voucher', '/v1/vouchers/nothing/transactions/export'],
      ['campaign', '/v1/campaigns/nothing/transactions/export'],
    ] as const)
      expect(await shop.post(path, {})).toMatchObject({ status: 404, body: { resource_type: kind } });
  });

  it('are drained to exactly 0 by a hundred callers, and by no more', async () => {
    const code = await newCard(10_000);
    const spend = () => answered((key) => redeem(code, { amount: 100 }, 100, key));
    const answers = await Promise.all(Array.from({ length: 120 }, spend));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(20);
    // Who has waited two seconds for redemptions that are still at work is told to come again.
    for (const { body } of refused) expect(body.key).toMatch(/^(?:gift_amount_exceeded|multiple_requests)$/);
    expect(await cardOf(code)).toMatchObject({
      gift: { amount: 10_000, balance: 0 },
      redemption: { redeemed_quantity: 100, redeemed_amount: 10_000 },
    });
    await waitUntil(async () => (await spend()).body.key === 'gift_amount_exceeded', {
      what: 'the refusal of one more',
    });
  });
});
