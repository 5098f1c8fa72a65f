import { type Answer, bootCampaigns, type CampaignsFixture, coupons } from '../campaigns.fixture';

describe('changing campaigns over HTTP', () => {
  let fixture: CampaignsFixture;

  beforeAll(async () => {
    fixture = await bootCampaigns();
  });
  afterAll(() => fixture?.running.close());

  const post = (path: string, body?: unknown): Promise<Answer> => fixture.call('POST', path, body);
  const get = async (id: string) => (await fixture.call('GET', `/v1/campaigns/${id}`)).body;
  const created = async (name: string) => (await post('/v1/campaigns', coupons(name))).body.id as string;

  describe('the switch', () => {
    it('is turned by the id and by the name, and answered with nothing', async () => {
      const id = await created('Switch 50 %');
      expect(await post(`/v1/campaigns/${id}/disable`)).toMatchObject({ status: 200, body: {} });
      const off = await get(id);
      expect(off).toMatchObject({ active: false, updated_at: expect.any(String) });
      expect(await post(`/v1/campaigns/${encodeURIComponent('Switch 50 %')}/disable`)).toMatchObject({
        status: 200,
      });
      expect(await get(id)).toEqual(off);
      expect(await post(`/v1/campaigns/${encodeURIComponent('Switch 50 %')}/enable`)).toMatchObject({
        status: 200,
      });
      expect((await get(id)).active).toBe(true);
    });

    it('leaves codes and their count as they are', async () => {
      const id = await created('Switched with codes');
      await post(`/v1/campaigns/${id}/vouchers/SWITCH-1`);
      await post(`/v1/campaigns/${id}/disable`);
      expect(await get(id)).toMatchObject({ vouchers_count: 1, creation_status: 'DONE' });
      expect((await fixture.call('GET', '/v1/vouchers/SWITCH-1')).body).toMatchObject({ active: true });
    });

    it.each(['enable', 'disable'])('of a campaign that does not exist cannot be turned (%s)', async (to) => {
      expect(await post(`/v1/campaigns/camp_none/${to}`)).toMatchObject({
        status: 404,
        body: {
          key: 'not_found',
          details: 'Cannot find campaign with id camp_none',
          resource_type: 'campaign',
        },
      });
    });
  });

  describe('a change', () => {
    const put = (id: string, body: unknown) =>
      fixture.call('PUT', `/v1/campaigns/${encodeURIComponent(id)}`, body);

    it('is shown at once, as MODIFYING, and ignores what can never change', async () => {
      const id = await created('Changed');
      const { status, body } = await put('Changed', {
        name: 'Other',
        vouchers_count: 9,
        voucher: { code_config: { length: 3 } },
        description: 'now with words',
        category: 'Shop',
        metadata: { season: 'summer' },
        default_voucher_redemption: { quantity: 2 },
        type: 'AUTO_UPDATE',
        validity_day_of_week: [1, 2],
      });
      expect(status).toBe(200);
      const changed = {
        id,
        name: 'Changed',
        description: 'now with words',
        category: 'Shop',
        metadata: { season: 'summer' },
        default_voucher_redemption: { quantity: 2 },
        type: 'AUTO_UPDATE',
        validity_day_of_week: [1, 2],
      };
      expect(body).toMatchObject({
        ...changed,
        creation_status: 'MODIFYING',
        vouchers_generation_status: 'MODIFYING',
      });
      const cleared = await put(id, {
        description: null,
        category: null,
        validity_day_of_week: null,
        unset_metadata_fields: ['season'],
      });
      expect(cleared.body).toMatchObject({
        description: null,
        category: null,
        categories: [],
        validity_day_of_week: null,
        metadata: {},
      });
      expect((await get(id)).type).toBe('AUTO_UPDATE');
    });

    it('takes an answer that is sent back, and no change inside of voucher', async () => {
      const id = await created('Sent back');
      const shown = await get(id);
      expect((await put(id, { ...shown, description: 'again' })).status).toBe(200);
      const voucher = { ...shown.voucher, discount: { type: 'PERCENT', percent_off: 99 } };
      expect(await put(id, { ...shown, voucher })).toMatchObject({
        status: 400,
        body: {
          key: 'invalid_payload',
          details:
            "Property .voucher.discount cannot be changed there: send 'discount' at the top level of the body",
        },
      });
    });

    it.each<[object, number, string, string]>([
      [{ start_date: 'tomorrow' }, 400, 'invalid_payload', 'start_date'],
      [{ metadata: 7 }, 400, 'invalid_payload', 'metadata'],
      [{ voucher: [] }, 400, 'invalid_payload', 'voucher'],
      [{ unset_metadata_fields: [7] }, 400, 'invalid_payload', 'unset_metadata_fields'],
      [
        { default_voucher_redemption: { quantity: -1 } },
        400,
        'invalid_payload',
        'default_voucher_redemption.quantity',
      ],
      [{ type: 'OTHER' }, 400, 'invalid_payload', 'type'],
      [
        { start_date: '2030-01-01', expiration_date: '2029-01-01' },
        400,
        'invalid_payload',
        'expiration_date',
      ],
      [
        { category: 'A', category_id: 'cat_1' },
        400,
        'invalid_payload',
        'Only one of .category and .category_id can be given',
      ],
      [{ category_id: 'cat_none' }, 404, 'not_found', 'Cannot find category with id cat_none'],
      [{ access_settings: { assign: {} } }, 402, 'missing_required_feature', ''],
      [
        { discount: { type: 'AMOUNT', amount_off: 1 } },
        400,
        'invalid_campaign',
        'It is not possible to change Voucher discount type',
      ],
      [
        { type: 'STANDALONE' },
        400,
        'invalid_campaign',
        "Property 'type' cannot be changed from STATIC to STANDALONE",
      ],
    ])('%j is refused', async (body, status, key, details) => {
      const id = await created(`Refused ${JSON.stringify(body)}`);
      const answer = await put(id, body);
      expect(answer).toMatchObject({ status, body: { key } });
      expect(String(answer.body.details ?? '')).toContain(details);
      expect((await get(id)).updated_at).toBeNull();
    });

    it('of a campaign that does not exist is refused', async () => {
      expect(await put('camp_none', {})).toMatchObject({ status: 404, body: { key: 'not_found' } });
    });
  });
});
