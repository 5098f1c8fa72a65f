import { type ScripAnswer, type SharedScrip, sharedScrip } from '@scrip/testing';

describe('publications by integrations and browsers (reference 04 §8.3)', () => {
  let scrip: SharedScrip;
  let campaign: { id: string; name: string };

  beforeAll(async () => {
    scrip = await sharedScrip();
    campaign = await scrip.ask('POST', '/v1/campaigns', {
      name: 'Hub',
      campaign_type: 'DISCOUNT_COUPONS',
      type: 'AUTO_UPDATE',
      voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
      metadata: { supplier: 'Acme' },
    });
  });

  const refusalOf = ({ status, body: { key, message, details } }: ScripAnswer) => ({
    status,
    key,
    message,
    details,
  });

  const project = (): string => `/management/v1/projects/${scrip.credentials.project_id}`;

  describe('by a query', () => {
    let hub: Record<string, string>;

    beforeAll(async () => {
      const key = await scrip.manage<{ id: string; secret: string }>('POST', `${project()}/keys`, {
        name: 'Hub',
        kind: 'server',
        integration: true,
      });
      hub = { 'x-app-id': key.id, 'x-app-token': key.secret };
    });

    const create = (query: Record<string, string>, headers = hub): Promise<ScripAnswer> =>
      scrip.call('GET', `/v1/publications/create?${new URLSearchParams(query)}`, undefined, headers);

    it('publish as a body does, and once for a source id', async () => {
      const query = {
        'campaign[name]': campaign.name,
        'campaign[count]': '1',
        'customer[source_id]': 'hub-ada',
        'customer[name]': 'Ada',
        'customer[metadata][plan]': 'gold',
        'metadata[desk]': '4',
        source_id: 'hub-1',
        channel: 'hub',
      };
      const { status, body } = await create(query);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        object: 'publication',
        tracking_id: 'hub-ada',
        source_id: 'hub-1',
        channel: 'hub',
        metadata: { desk: '4' },
        result: 'SUCCESS',
        customer: { name: 'Ada', metadata: { plan: 'gold' } },
        voucher: { campaign_id: campaign.id, holder_id: body.customer_id },
      });
      expect((await create(query)).body.id).toBe(body.id);
      const again = { campaign: campaign.id, customer: 'hub-ada', join_once: 'true' };
      expect((await create(again)).body.id).toBe(body.id);
    });

    it('need a key of an integration', async () => {
      const query = { campaign: campaign.id, customer: 'hub-eve' };
      expect(refusalOf(await create(query, scrip.serverKeys))).toEqual({
        status: 403,
        key: 'integration_api_key_required',
        message: 'Forbidden',
        details: 'This call needs an integration API key',
      });
      const { body } = await scrip.call('GET', '/v1/publications?customer=hub-eve');
      expect(body.total).toBe(0);
    });

    it.each([
      [{ campaign: 'Hub' }, 400, 'invalid_query_params', "Query should have required property 'customer'"],
      [
        { 'campaign[name]': 'Hub', 'campaign[count]': '2', customer: 'x' },
        400,
        'too_many_vouchers_requested',
        'Only up to 1 can be published',
      ],
      [{ customer: 'x' }, 400, 'missing_vouchers', 'Either Campaign or Voucher is required'],
      [{ voucher: 'NOWHERE', customer: 'x' }, 404, 'not_found', 'Cannot find voucher with id NOWHERE'],
    ])('refuse %j', async (query, status, key, details) => {
      expect(refusalOf(await create(query as Record<string, string>))).toMatchObject({
        status,
        key,
        details,
      });
    });
  });

  describe('by browsers', () => {
    const origin = 'https://club.example.com';
    const publish = (body: unknown, query = ''): Promise<ScripAnswer> => {
      const { client_app_id, client_token } = scrip.credentials;
      const headers = { 'x-client-application-id': client_app_id, 'x-client-token': client_token, origin };
      return scrip.call('POST', `/client/v1/publish${query}`, body, headers);
    };
    const allow = (client_publish_enabled: boolean) =>
      scrip.manage('PUT', project(), {
        client_trusted_domains: ['club.example.com'],
        client_publish_enabled,
      });

    it('are refused until the project allows them', async () => {
      await allow(false);
      expect(refusalOf(await publish({ campaign: 'Hub', customer: 'browser-ada' }))).toMatchObject({
        status: 403,
        key: 'forbidden',
        details: expect.stringContaining('client_publish_enabled'),
      });
    });

    it('answer the code and name no customer, nor what was stored before', async () => {
      await allow(true);
      const known = { source_id: 'browser-ada', name: 'Ada', email: 'ada@example.com' };
      const stored = await scrip.ask<{ id: string; voucher: { code: string } }>('POST', '/v1/publications', {
        campaign: campaign.id,
        customer: known,
        metadata: { note: 'private' },
      });
      const { status, body } = await publish({ campaign: 'Hub', customer: 'browser-ada' });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        result: 'SUCCESS',
        customer_id: null,
        customer: null,
        voucher: { code: expect.any(String), holder_id: null, additional_info: null, metadata: {} },
      });
      const text = JSON.stringify(body);
      for (const secret of ['Ada', 'ada@example.com', 'private', 'cust_', 'browser-ada', stored.voucher.code])
        expect(text).not.toContain(secret);
      const { body: listed } = await scrip.call('GET', '/v1/publications?customer=browser-ada');
      expect(listed).toMatchObject({ total: 2 });
    });

    it('answer a code of before only where the campaign is joined once, and not because the query asks', async () => {
      await allow(true);
      const club = await scrip.ask<{ id: string }>('POST', '/v1/campaigns', {
        name: 'Club',
        campaign_type: 'DISCOUNT_COUPONS',
        type: 'AUTO_UPDATE',
        join_once: true,
        voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
      });
      const customer = 'browser-bob';
      const publishedBefore = (campaign_id: string) =>
        scrip.ask<{ id: string; voucher: { code: string } }>('POST', '/v1/publications', {
          campaign: campaign_id,
          customer: { source_id: customer, name: 'Bob' },
          metadata: { note: 'private' },
        });
      const open = await publishedBefore(campaign.id);
      const refused = await publish({ campaign: 'Hub', customer }, '?join_once=true');
      expect(refusalOf(refused)).toMatchObject({
        status: 400,
        key: 'voucher_cannot_be_published',
        details: 'Voucher cannot be published. Customer already joined program.',
      });
      expect(JSON.stringify(refused.body)).not.toContain(open.voucher.code);
      const joined = await publishedBefore(club.id);
      for (const query of ['', '?join_once=true']) {
        const { body } = await publish({ campaign: 'Club', customer }, query);
        expect(body).toMatchObject({ id: joined.id, metadata: {}, voucher: { code: joined.voucher.code } });
        const text = JSON.stringify(body);
        for (const secret of ['Bob', 'private', 'cust_', customer]) expect(text).not.toContain(secret);
      }
      const first = await publish({ campaign: 'Hub', customer: 'browser-cid' }, '?join_once=true');
      expect(first.status).toBe(200);
    });
  });
});
