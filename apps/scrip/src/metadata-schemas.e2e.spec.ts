import { type ScripAnswer, type SharedScrip, sharedScrip } from '@scrip/testing';

type Json = Record<string, unknown>;

const text = { type: 'string', array: false, optional: true };
const number = { type: 'number', array: false, optional: true };

describe('metadata that a schema defines (reference 07 §8)', () => {
  let scrip: SharedScrip;
  let named = 0;

  beforeAll(async () => {
    scrip = await sharedScrip();
  });

  const schemas = () => `/management/v1/projects/${scrip.credentials.project_id}/metadata-schemas`;
  const define = (related_object: string, properties: Json, more: Json = {}) =>
    scrip.manage('POST', schemas(), { related_object, properties, ...more });
  const change = (related_object: string, properties: Json) =>
    scrip.manage('PUT', `${schemas()}/${related_object}`, { properties });
  afterEach(async () => {
    const { data } = await scrip.manage<{ data: { id: string }[] }>('GET', schemas());
    for (const { id } of data) await scrip.manage('DELETE', `${schemas()}/${id}`);
  });

  const newCampaign = (more: Json = {}) =>
    scrip.call('POST', '/v1/campaigns', {
      name: `Defined ${(named += 1)} ${Date.now()}`,
      campaign_type: 'DISCOUNT_COUPONS',
      voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } },
      ...more,
    });
  const newCode = async (): Promise<string> => {
    const { body: campaign } = await newCampaign({ vouchers_count: 0 });
    const { body } = await scrip.call('POST', `/v1/campaigns/${campaign.id}/vouchers`, {});
    return body.code as string;
  };
  const redeem = (code: string, more: Json) =>
    scrip.call('POST', '/v1/redemptions', { redeemables: [{ object: 'voucher', id: code }], ...more });

  const expectRefusal = ({ status, body }: ScripAnswer, details: string) =>
    expect({ status, ...body }).toMatchObject({
      status: 400,
      key: 'metadata_validation_failed',
      message: 'Metadata validation failed',
      details,
    });
  const notNumber = "size: must be a number (actual value is 'x')";

  it('counts at once, changed at once, and no longer once the schema is dropped', async () => {
    await define('voucher', { size: number });
    expectRefusal(await newCampaign({ metadata: { size: 'x' } }), notNumber);
    await change('voucher', { size: { ...number, lt: 5 } });
    expectRefusal(
      await newCampaign({ metadata: { size: 5 } }),
      "size: must be a number, must be lower than 5 (actual value is '5')",
    );
    await change('voucher', { size: { ...number, deleted: true } });
    expect((await newCampaign({ metadata: { size: 'x' } })).status).toBe(200);
    await change('voucher', { size: number });
    expectRefusal(await newCampaign({ metadata: { size: 'x' } }), notNumber);
    await scrip.manage('DELETE', `${schemas()}/voucher`);
    expect((await newCampaign({ metadata: { size: 'x' } })).status).toBe(200);
  });

  it('is checked in a campaign, by the schema that its vouchers follow or by its own', async () => {
    await define('voucher', { size: number });
    await define('campaign', { note: { ...text, optional: false } });
    expectRefusal(await newCampaign({ metadata: { size: 'x' } }), notNumber);
    expect((await newCampaign({ metadata: { size: 1 } })).status).toBe(200);
    const own = { use_voucher_metadata_schema: false };
    expect((await newCampaign({ ...own, metadata: { size: 'x', note: 'y' } })).status).toBe(200);
    expectRefusal(
      await newCampaign(own),
      "note: must be a string, property is required (actual value is 'undefined')",
    );
  });

  it('is checked in vouchers that are added, what they inherit included', async () => {
    const { body: campaign } = await newCampaign({ vouchers_count: 0, metadata: { size: 'x' } });
    const vouchers = `/v1/campaigns/${campaign.id}/vouchers`;
    await define('voucher', { size: { ...number, optional: false } });
    const required = "size: must be a number, property is required (actual value is 'x')";
    expectRefusal(await scrip.call('POST', vouchers, {}), required);
    expectRefusal(await scrip.call('POST', `${vouchers}/OWN-CODE-${Date.now()}`, {}), required);
    expectRefusal(await scrip.call('POST', `${vouchers}?vouchers_count=2`, {}), required);
    const added = await scrip.call('POST', vouchers, { metadata: { size: 1 } });
    expect([added.status, added.body.metadata]).toEqual([200, { size: 1 }]);
  });

  it('is checked in single vouchers, as they are created and as they become', async () => {
    await define('voucher', { size: { ...number, optional: false } });
    const code = `ALONE-${(named += 1)}-${Date.now()}`;
    const body = { type: 'GIFT_VOUCHER', gift: { amount: 100 } };
    const required = (value: string) =>
      `size: must be a number, property is required (actual value is '${value}')`;
    expectRefusal(await scrip.call('POST', `/v1/vouchers/${code}`, body), required('undefined'));
    const sized = { ...body, metadata: { size: 1 } };
    expect((await scrip.call('POST', `/v1/vouchers/${code}`, sized)).status).toBe(200);
    const put = (metadata: Json | null) => scrip.call('PUT', `/v1/vouchers/${code}`, { metadata });
    expectRefusal(await put({ size: 'x' }), required('x'));
    expectRefusal(await put(null), required('undefined'));
    expect((await put({ note: 'y' })).body.metadata).toEqual({ size: 1, note: 'y' });
  });

  it('is checked in publications, and in holders, which follow it too', async () => {
    const { body: program } = await newCampaign({ campaign_type: 'REFERRAL_PROGRAM' });
    const { body: friend } = await scrip.call('POST', `/v1/campaigns/${program.id}/vouchers`, {});
    await define('publication', { desk: { ...text, optional: false } });
    const publish = (more: Json) =>
      scrip.call('POST', '/v1/publications', {
        voucher: friend.code,
        customer: { source_id: `desk-${Date.now()}` },
        ...more,
      });
    const required = (value: string) =>
      `desk: must be a string, property is required (actual value is '${value}')`;
    expectRefusal(await publish({}), required('undefined'));
    expectRefusal(await publish({ metadata: { desk: 4 } }), required('4'));
    expect((await publish({ metadata: { desk: 'A' } })).status).toBe(200);
    const holders = `/v1/referrals/members/${friend.code}/holders`;
    const bea = { holders: [{ source_id: `bea-${Date.now()}` }] };
    expectRefusal(await scrip.call('POST', holders, bea), required('undefined'));
    expect((await scrip.call('POST', holders, { ...bea, metadata: { desk: 'B' } })).status).toBe(200);
  });

  it('is checked in tiers, alone and with their campaign', async () => {
    await define('promotion_tier', { size: number });
    const tier = { name: 'One', metadata: { size: 'x' } };
    const name = `Tiers ${(named += 1)} ${Date.now()}`;
    const create = (tiers: Json[]) => scrip.call('POST', '/v1/campaigns', { name, promotion: { tiers } });
    expectRefusal(await create([tier]), `Property .promotion.tiers[0].metadata: ${notNumber}`);
    const { body: promotion } = await create([]);
    const tiers = `/v1/promotions/${promotion.id}/tiers`;
    expectRefusal(await scrip.call('POST', tiers, tier), notNumber);
    expect((await scrip.call('POST', tiers, { ...tier, metadata: { size: 1 } })).status).toBe(200);
  });

  it('is checked in a redemption, which without it is refused where a key is required', async () => {
    const code = await newCode();
    await define('redemption', { till: { ...text, optional: false, eq: ['T1', 'T2'] } });
    const asked = 'till: must be a string, property is required, must be equal to one of T1,T2';
    expectRefusal(await redeem(code, {}), `${asked} (actual value is 'undefined')`);
    expectRefusal(await redeem(code, { metadata: { till: 'T3' } }), `${asked} (actual value is 'T3')`);
    expect((await scrip.call('GET', `/v1/redemptions?limit=100`)).body.redemptions).not.toContainEqual(
      expect.objectContaining({ voucher: expect.objectContaining({ code }) as unknown }),
    );
    expect((await redeem(code, { metadata: { till: 'T1' } })).status).toBe(200);
  });

  it.each(['validations', 'explanations'])('is checked in %s as in the redemption to come', async (path) => {
    const code = await newCode();
    await define('redemption', { till: { ...text, optional: false } });
    const ask = (more: Json) =>
      scrip.call('POST', `/v1/${path}`, { redeemables: [{ object: 'voucher', id: code }], ...more });
    const required = (value: string) =>
      `till: must be a string, property is required (actual value is '${value}')`;
    expectRefusal(await ask({}), required('undefined'));
    expectRefusal(await ask({ metadata: { till: 7 } }), required('7'));
    expect((await ask({ metadata: { till: 'T1' } })).body).toMatchObject({ valid: true });
  });

  it('is checked in a rollback that carries some, which rolls nothing back where it is refused', async () => {
    const { body } = await redeem(await newCode(), { customer: { source_id: `undone-${Date.now()}` } });
    const [{ id }] = body.redemptions as [{ id: string }];
    await define('redemption', { till: { ...text, optional: false } });
    await define('customer', { size: number });
    const undo = (more: Json) => scrip.call('POST', `/v1/redemptions/${id}/rollback`, more);
    expectRefusal(
      await undo({ metadata: { till: 7 } }),
      "till: must be a string, property is required (actual value is '7')",
    );
    expectRefusal(await undo({ customer: { metadata: { size: 'x' } } }), notNumber);
    expect((await scrip.call('GET', `/v1/redemptions/${id}`)).body).toMatchObject({ status: 'SUCCEEDED' });
    expect((await undo({})).body).toMatchObject({ result: 'SUCCESS' });
  });

  it('is checked in orders of redemptions and in their items', async () => {
    const code = await newCode();
    await define('order', { size: number });
    await define('order_item', { colour: { ...text, eq: ['red'] } });
    const item = { product_id: 'prod_1', price: 500, quantity: 1 };
    expectRefusal(await redeem(code, { order: { items: [item], metadata: { size: 'x' } } }), notNumber);
    expectRefusal(
      await redeem(code, { order: { items: [item, { ...item, metadata: { colour: 'blue' } }] } }),
      "colour: must be a string, must be equal to one of red (actual value is 'blue')",
    );
    const sound = { items: [{ ...item, metadata: { colour: 'red' } }], metadata: { size: 1 } };
    const redeemed = await redeem(code, { order: sound });
    expect(redeemed.status).toBe(200);
    const { id } = redeemed.body.order as { id: string };
    expectRefusal(await redeem(await newCode(), { order: { id, metadata: { size: 'x' } } }), notNumber);
    await change('order', { note: { ...text, optional: false } });
    expect((await redeem(await newCode(), { order: { id, status: 'PAID' } })).status).toBe(200);
    expect((await redeem(await newCode(), { order: { id, metadata: { note: 'x' } } })).status).toBe(200);
  });

  it('is checked in customers, over HTTP and in redemptions, once it is created or sent', async () => {
    const source_id = `defined-${Date.now()}`;
    const known = await scrip.call('POST', '/v1/customers', { source_id, metadata: { old: 1 } });
    await define('customer', { size: { ...number, optional: false } }, { allow_defined_only: true });
    const required = (value: string) =>
      `size: must be a number, property is required (actual value is '${value}')`;
    const other = { source_id: `${source_id}-2` };
    expectRefusal(await scrip.call('POST', '/v1/customers', other), required('undefined'));
    expectRefusal(await redeem(await newCode(), { customer: other }), required('undefined'));
    const path = `/v1/customers/${known.body.id}`;
    expect((await scrip.call('PUT', path, { name: 'Ada' })).status).toBe(200);
    expectRefusal(await scrip.call('PUT', path, { metadata: { size: 'x' } }), required('x'));
    const customer = { source_id, metadata: { size: 1 } };
    expect((await redeem(await newCode(), { customer })).status).toBe(200);
    expect((await scrip.call('GET', path)).body.metadata).toEqual({ old: 1, size: 1 });
  });

  it('has only keys that the schema defines where it says so', async () => {
    await define('voucher', { size: number }, { allow_defined_only: true });
    expectRefusal(
      await newCampaign({ metadata: { size: 1, other: 1 } }),
      'other: property is not defined in the metadata schema',
    );
  });

  it('follows the schema of nested objects', async () => {
    await define('place', { shelf: { ...number, optional: false } });
    await define('voucher', { stock: { type: 'object', array: true, optional: true, object_type: 'place' } });
    expectRefusal(
      await newCampaign({ metadata: { stock: [{ shelf: 1 }, { shelf: 'x' }] } }),
      "stock[1].shelf: must be a number, property is required (actual value is 'x')",
    );
  });
});
