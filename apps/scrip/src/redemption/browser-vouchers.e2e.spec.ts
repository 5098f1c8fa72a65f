import { newId } from '@scrip/kernel';
import { type ScripAnswer, type SharedScrip, sharedScrip } from '@scrip/testing';

const origin = 'https://shop.example.com';
const tenPercent = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } };

describe('calls for one voucher from browsers (reference 03 §5.3, §6.3; reference 07 §2.3)', () => {
  let scrip: SharedScrip;
  let headers: Record<string, string>;

  beforeAll(async () => {
    scrip = await sharedScrip();
    const { client_app_id, client_token } = scrip.credentials;
    headers = { 'x-client-application-id': client_app_id, 'x-client-token': client_token, origin };
    await allowed({ client_trusted_domains: [origin] });
  }, 240_000);

  const allowed = (switches: object) =>
    scrip.manage('PUT', `/management/v1/projects/${scrip.credentials.project_id}`, switches);
  const validate = (query: string, more: Record<string, string> = {}): Promise<ScripAnswer> =>
    scrip.call('GET', `/client/v1/validate?${query}`, undefined, { ...headers, ...more });
  const redeem = (query: string, body: object, more: Record<string, string> = {}): Promise<ScripAnswer> =>
    scrip.call('POST', `/client/v1/redeem?${query}`, body, { ...headers, ...more });
  const newVoucher = async (voucher: object = tenPercent) => {
    const code = newId('CODE-').toUpperCase();
    await scrip.ask('POST', `/v1/vouchers/${code}`, voucher);
    return code;
  };

  it('come from trusted origins, and redeem once the project admits it', async () => {
    const code = await newVoucher();
    await allowed({ client_redeem_enabled: false });
    expect(await redeem(`code=${code}`, {})).toMatchObject({
      status: 403,
      body: { key: 'forbidden', details: expect.stringContaining('client_redeem_enabled') },
    });
    await allowed({ client_redeem_enabled: true });
    const foreign = { origin: 'https://elsewhere.example.com' };
    const refused = [await validate(`code=${code}`, foreign), await redeem(`code=${code}`, {}, foreign)];
    for (const answer of refused) {
      expect(answer).toMatchObject({ status: 403, body: { key: 'forbidden' } });
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
    expect((await validate(`code=${code}`)).headers.get('access-control-allow-origin')).toBe(origin);
    const { body } = await scrip.call('GET', `/v1/vouchers/${code}/redemptions`);
    expect(body).toMatchObject({ total: 0 });
  });

  it('a validation says by its query what the body of the server call says, and is told no tracking id', async () => {
    const code = await newVoucher();
    const { status, body } = await validate(
      [
        `code=${code}&item[0][product_id]=prod_lamp&item[0][quantity]=2&item[0][price]=4000`,
        'customer[source_id]=ada&customer[metadata][vip]=yes&metadata[till]=3&order[metadata][gift]=no',
      ].join('&'),
    );
    const server = await scrip.call('POST', `/v1/vouchers/${code}/validate`, {
      customer: { source_id: 'ada', metadata: { vip: 'yes' } },
      order: { items: [{ product_id: 'prod_lamp', quantity: 2, price: 4_000 }], metadata: { gift: 'no' } },
      metadata: { till: '3' },
    });
    const { tracking_id, ...others } = server.body;
    expect(tracking_id).toMatch(/^track_/);
    expect([status, body]).toEqual([200, others]);
    expect(body).toMatchObject({ valid: true, order: { amount: 8_000, total_amount: 7_200 } });
    expect((await scrip.call('GET', '/v1/customers/ada')).status).toBe(404);
  });

  it('a gift card pays as much as it can', async () => {
    const code = await newVoucher({ type: 'GIFT_VOUCHER', gift: { amount: 500 } });
    expect((await validate(`code=${code}&amount=2000`)).body).toMatchObject({
      ...{ valid: true, gift: { amount: 500, balance: 500 } },
      order: { amount: 2_000, total_amount: 1_500 },
    });
    expect(await validate(`code=${code}`)).toMatchObject({ status: 400, body: { key: 'missing_order' } });
  });

  it('a code that does not apply is told with 200, an unknown one too', async () => {
    const code = await newVoucher({ ...tenPercent, active: false });
    expect(await validate(`code=${code}`)).toMatchObject({
      status: 200,
      body: { valid: false, code, reason: 'voucher is disabled', error: { key: 'voucher_disabled' } },
    });
    expect(await validate('code=NO-SUCH-CODE')).toMatchObject({
      status: 200,
      body: { valid: false, code: 'NO-SUCH-CODE', reason: 'voucher not found', error: { key: 'not_found' } },
    });
  });

  it('what a query lacks or has wrong is refused', async () => {
    const lacking = "Query should have required property 'code'";
    const refused = (details: string) => ({
      status: 400,
      body: { key: 'invalid_query_params', message: 'Invalid query params', details },
    });
    expect(await validate('amount=1000')).toMatchObject(refused(lacking));
    expect(await validate('code=A&amount=much')).toMatchObject(refused('Property .amount must be integer'));
    expect(await redeem('', {})).toMatchObject(refused(lacking));
  });

  it('a session holds the voucher until it is redeemed with the key', async () => {
    const code = await newVoucher({ ...tenPercent, redemption: { quantity: 1 } });
    const key = newId('cart-');
    const held = await validate(`code=${code}&session_type=LOCK&session_key=${key}&session_ttl=1`);
    expect(held.body).toMatchObject({ session: { key, type: 'LOCK', ttl: 1, ttl_unit: 'DAYS' } });
    expect(await redeem(`code=${code}`, {})).toMatchObject({ body: { key: 'quantity_exceeded' } });
    expect(await redeem(`code=${code}`, { session: { key, type: 'LOCK' } })).toMatchObject({
      status: 200,
      body: { result: 'SUCCESS', session: { key } },
    });
  });

  it('redeems as the server call does, names no customer, and shows nothing that the shop notes of the voucher', async () => {
    const noted = { additional_info: 'margin 40 %', metadata: { supplier: 'Acme' } };
    const code = await newVoucher({ ...tenPercent, ...noted });
    const { status, body } = await redeem(`code=${code}`, {
      customer: { source_id: 'bea' },
      order: { amount: 1_000 },
      metadata: { till: 3 },
    });
    expect([status, body]).toMatchObject([
      200,
      {
        ...{ object: 'redemption', result: 'SUCCESS', status: 'SUCCEEDED', metadata: { till: 3 } },
        ...{ customer: null, customer_id: null, tracking_id: null },
        order: { amount: 1_000, total_amount: 900, customer_id: null },
        voucher: { code, holder_id: null, redemption: { redeemed_quantity: 1 } },
      },
    ]);
    expect(body.voucher).toMatchObject({ additional_info: null, metadata: {} });
    const redeemables = [{ object: 'voucher', id: code }];
    const stacked = await scrip.call('POST', '/client/v1/redemptions', { redeemables }, headers);
    expect(stacked.body.redemptions[0].voucher).toMatchObject({ additional_info: null, metadata: {} });
    const kept = await scrip.call('GET', `/v1/redemptions/${body.id}`);
    const recognised = expect.stringMatching(/^track_/);
    expect(kept.body).toMatchObject({
      ...{ customer: { source_id: 'bea' }, tracking_id: recognised },
      voucher: noted,
    });
    const twice = await redeem(`code=${code}&tracking_id=visitor`, { customer: { source_id: 'bea' } });
    expect(twice).toMatchObject({ status: 400, body: { key: 'ambiguous_tracking_id' } });
    const unknown = await redeem('code=NO-SUCH-CODE', {});
    expect(unknown).toMatchObject({ status: 404, body: { key: 'not_found', resource_type: 'redemption' } });
  });

  it('a repetition under one key redeems once', async () => {
    const code = await newVoucher();
    const again = { 'idempotency-key': newId('key-') };
    const [first, second] = [
      await redeem(`code=${code}`, { order: { amount: 1_000 } }, again),
      await redeem(`code=${code}`, { order: { amount: 1_000 } }, again),
    ];
    expect(second.body).toEqual(first.body);
    const { body } = await scrip.call('GET', `/v1/vouchers/${code}`);
    expect(body).toMatchObject({ redemption: { redeemed_quantity: 1 } });
  });
});
