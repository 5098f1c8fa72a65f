import { type ScripAnswer, type SharedScrip, sharedScrip } from '@scrip/testing';

describe('what customers hold (reference 02 §9, reference 07 §2.3)', () => {
  let scrip: SharedScrip;
  let campaign: { id: string };
  const codes = ['HELD-1', 'HELD-2', 'HELD-3'];

  beforeAll(async () => {
    scrip = await sharedScrip();
    campaign = await scrip.ask('POST', '/v1/campaigns', {
      name: 'Held',
      campaign_type: 'GIFT_VOUCHERS',
      voucher: { type: 'GIFT_VOUCHER', gift: { amount: 1_000 } },
    });
    for (const voucher of codes) {
      await scrip.ask('POST', `/v1/campaigns/${campaign.id}/vouchers/${voucher}`, {});
      await scrip.ask('POST', '/v1/publications', {
        voucher,
        customer: { source_id: 'holder', name: 'Ada' },
      });
    }
  }, 240_000);

  const held = async (query = '', customer = 'holder'): Promise<any> =>
    (await scrip.call('GET', `/v1/customers/${customer}/redeemables${query}`)).body;
  const codesOf = ({ data }: any): string[] => data.map((one: any) => one.redeemable.voucher.code);
  const statuses = async (): Promise<string[]> =>
    (await held()).data.map((one: any) => one.redeemable.status);

  it('is listed oldest first, by the source id and by the id of the customer', async () => {
    const list = await held();
    expect(list).toMatchObject({ object: 'list', data_ref: 'data', total: 3, has_more: false });
    expect(list).not.toHaveProperty('more_starting_after');
    expect(codesOf(list)).toEqual(codes);
    const [first] = list.data;
    expect(first).toMatchObject({
      id: expect.stringMatching(/^rh_/),
      redeemable_id: first.redeemable.voucher.id,
      redeemable_object: 'voucher',
      holder_role: 'OWNER',
      campaign_id: campaign.id,
      campaign_type: 'GIFT_VOUCHERS',
      voucher_type: 'GIFT_VOUCHER',
      redeemable: {
        type: 'voucher',
        voucher: { code: 'HELD-1', gift: { balance: 1_000 } },
        status: 'ACTIVE',
      },
    });
    expect(await held('', first.customer_id)).toEqual(list);
    expect(codesOf(await held('?order=-id'))).toEqual([...codes].reverse());
  });

  it('is paged behind an entry, and filtered', async () => {
    const page = await held('?limit=2');
    expect(page).toMatchObject({ total: 2, has_more: true, more_starting_after: page.data[1].id });
    const rest = await held(`?limit=2&starting_after_id=${page.more_starting_after}`);
    expect(codesOf(rest)).toEqual(['HELD-3']);
    const ofOne = `?filters[redeemable_id][conditions][$is]=${page.data[1].redeemable_id}`;
    expect(codesOf(await held(ofOne))).toEqual(['HELD-2']);
    expect(codesOf(await held('?filters[holder_role][conditions][$is]=REFEREE'))).toEqual([]);
    expect(await held('?filters[holder_role][conditions][$is]=NONE')).toMatchObject({
      key: 'invalid_query_params',
    });
  });

  it('says what can be done with it, and leaves out what is deleted', async () => {
    await scrip.ask('POST', '/v1/vouchers/HELD-2/disable');
    await scrip.ask('PUT', '/v1/vouchers/HELD-3', { expiration_date: '2020-01-01T00:00:00Z' });
    expect(await statuses()).toEqual(['ACTIVE', 'DISABLED', 'EXPIRED']);
    await scrip.ask('DELETE', '/v1/vouchers/HELD-2');
    expect(await statuses()).toEqual(['ACTIVE', 'EXPIRED']);
  });

  it('is of customers that exist', async () => {
    expect(await held('', 'nobody')).toMatchObject({
      code: 404,
      key: 'not_found',
      resource_type: 'customer',
    });
  });

  describe('in browsers', () => {
    const origin = 'https://held.example.com';
    const call = (method: string, path: string, body?: unknown): Promise<ScripAnswer> => {
      const { client_app_id, client_token } = scrip.credentials;
      const headers = { 'x-client-application-id': client_app_id, 'x-client-token': client_token, origin };
      return scrip.call(method, `/client/v1/vouchers${path}`, body, headers);
    };
    const allow = (on: boolean) =>
      scrip.manage('PUT', `/management/v1/projects/${scrip.credentials.project_id}`, {
        client_trusted_domains: ['held.example.com'],
        client_list_vouchers_enabled: on,
        client_set_voucher_expiration_date_enabled: on,
      });

    it('is refused until the project allows it', async () => {
      await allow(false);
      expect((await call('GET', '?customer=holder')).body.details).toContain('client_list_vouchers_enabled');
      expect((await call('PUT', '/HELD-1', { expiration_date: null })).body.details).toContain(
        'client_set_voucher_expiration_date_enabled',
      );
    });

    it('is listed by the customer, in short', async () => {
      await allow(true);
      const { body } = await call('GET', '?customer=holder&order=code');
      expect(body).toMatchObject({ object: 'list', data_ref: 'vouchers', total: 2 });
      expect(body.vouchers[0]).toEqual({
        ...{ code: 'HELD-1', type: 'GIFT_VOUCHER', discount: null, loyalty_card: null, object: 'voucher' },
        gift: expect.objectContaining({ balance: 1_000 }),
        ...{ start_date: null, expiration_date: null, redemption: { quantity: null, redeemed_quantity: 0 } },
      });
      expect((await call('GET', '?customer=nobody')).body.vouchers).toEqual([]);
      expect((await call('GET', '')).body.details).toBe("Query should have required property 'customer'");
    });

    it('changes the expiration and nothing else', async () => {
      const expiration_date = '2090-01-01T00:00:00.000Z';
      const { status, body } = await call('PUT', '/HELD-1', { expiration_date, active: false });
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { expiration_date, active: true, holder_id: null },
      });
      expect((await call('PUT', '/NOTHING', { expiration_date })).status).toBe(404);
    });
  });
});
