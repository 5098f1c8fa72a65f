import { campaignOf, type ScripAnswer, type SharedScrip, sharedScrip } from '@scrip/testing';

const projects = '/management/v1/projects';
const newProject = { name: 'Shop', case_sensitive_codes: false, timezone: 'GMT+2', currency: 'PLN' };
const off = { enabled: false, value: 80, in_app: false, emails: [] };
const silent = { email: false, in_app: false, emails: [] };

describe('the management of projects', () => {
  let scrip: SharedScrip;

  beforeAll(async () => {
    scrip = await sharedScrip();
  }, 240_000);

  const manage = (method: string, path: string, body?: unknown) =>
    scrip.callAsManager(method, projects + path, body);
  const create = async (more: object = {}): Promise<Record<string, any>> => {
    const { status, body } = await manage('POST', '', { ...newProject, ...more });
    expect([status, body]).toEqual([200, expect.anything()]);
    return body as Record<string, any>;
  };
  const callOf = (
    { server_side_key: key }: Record<string, any>,
    method: string,
    path: string,
    body?: unknown,
  ) => scrip.call(method, path, body, { 'x-app-id': key.app_id, 'x-app-token': key.app_token });
  const fromBrowser = ({ client_side_key: key }: Record<string, any>, origin: string): Promise<ScripAnswer> =>
    scrip.call(
      'POST',
      '/client/v1/redemptions',
      { redeemables: [{ object: 'voucher', id: 'NONE' }] },
      { 'X-Client-Application-Id': key.app_id, 'X-Client-Token': key.app_token, origin },
    );

  it('creates one with everything that it was not told, and keys that work', async () => {
    const made = await create();
    expect(made).toEqual({
      id: expect.stringMatching(/^proj_[0-9a-f]{32}$/),
      ...newProject,
      description: '',
      dial_code: null,
      webhook_version: 'v2024-01-01',
      client_trusted_domains: [],
      client_redeem_enabled: false,
      client_publish_enabled: false,
      client_list_vouchers_enabled: false,
      client_create_customer_enabled: false,
      client_loyalty_events_enabled: false,
      client_set_voucher_expiration_date_enabled: false,
      webhooks_callout_notifications: { distributions: silent, webhooks: silent },
      api_usage_notifications: {
        ...{ redemptions: off, messages: off, api_calls: off },
        ...{ bulk_api_calls: off, webhook_calls: off, cycle_calls: off },
      },
      cluster_id: 'eu1',
      api_version: 'v2018-08-01',
      is_sandbox: false,
      webhook_token: expect.stringMatching(/^whsec_/),
      server_side_key: { app_id: expect.stringMatching(/^eu1-/), app_token: expect.any(String) },
      client_side_key: { app_id: expect.stringMatching(/^eu1-/), app_token: expect.any(String) },
    });
    const { server_side_key: _, client_side_key: __, ...shown } = made;
    expect((await manage('GET', `/${made.id}`)).body).toEqual(shown);
    const { body: list } = await manage('GET', '');
    expect(list).toMatchObject({ object: 'list', data_ref: 'data', total: list.data.length });
    expect(list.data.find(({ id }: { id: string }) => id === made.id)).toEqual(shown);
    expect(await callOf(made, 'GET', '/v1/vouchers')).toMatchObject({ status: 200, body: { total: 0 } });
  });

  it('codes of a project that does not tell cases apart are found in any case', async () => {
    const made = await create();
    const campaign = await callOf(made, 'POST', '/v1/campaigns', {
      name: 'Codes',
      campaign_type: 'DISCOUNT_COUPONS',
      vouchers_count: 1,
      voucher: {
        type: 'DISCOUNT_VOUCHER',
        discount: { type: 'PERCENT', percent_off: 10 },
        code_config: { pattern: 'Spring-#' },
      },
    });
    expect(campaign.status).toBe(200);
    await callOf(made, 'POST', `/v1/campaigns/${campaign.body.id}/vouchers/Welcome`, {});
    expect((await callOf(made, 'GET', '/v1/vouchers/WELCOME')).status).toBe(200);
  });

  it('changes what is sent, and nothing else', async () => {
    const made = await create({ description: 'Shops', dial_code: '+48' });
    const thresholds = {
      ...{ messages: off, api_calls: { ...off, enabled: true, value: 90, emails: ['ada@example.com'] } },
      ...{ bulk_api_calls: off, webhook_calls: off, cycle_calls: off },
    };
    const { status, body } = await manage('PUT', `/${made.id}`, {
      name: 'Shops',
      timezone: 'Europe/Warsaw',
      dial_code: null,
      default_code_config: { charset: 'XYZ' },
      api_usage_notifications: thresholds,
      client_publish_enabled: true,
    });
    const { server_side_key: _, client_side_key: __, ...before } = made;
    expect([status, body]).toEqual([
      200,
      {
        ...before,
        name: 'Shops',
        timezone: 'Europe/Warsaw',
        dial_code: null,
        default_code_config: { charset: 'XYZ' },
        api_usage_notifications: { ...thresholds, redemptions: off },
        client_publish_enabled: true,
      },
    ]);
    const again = await manage('PUT', `/${made.id}`, { default_code_config: { charset: null } });
    expect(again.body).not.toHaveProperty('default_code_config');
    expect(again.body.api_usage_notifications).toEqual(body.api_usage_notifications);
  });

  it('ignores what is fixed at the creation, and says so', async () => {
    const made = await create();
    const change = { case_sensitive_codes: true, cluster_id: 'us1', api_version: 'v2018-08-01' };
    const { status, body, headers } = await manage('PUT', `/${made.id}`, change);
    expect([status, body.case_sensitive_codes, body.cluster_id]).toEqual([200, false, 'eu1']);
    expect(headers.get('x-scrip-ignored')).toBe('case_sensitive_codes, cluster_id, api_version');
  });

  it('makes generated codes of the characters that the project names', async () => {
    const made = await create({ default_code_config: { charset: 'Q' } });
    const { body } = await callOf(made, 'POST', '/v1/campaigns', {
      name: 'One',
      campaign_type: 'DISCOUNT_COUPONS',
      vouchers_count: 1,
      voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
    });
    expect(body.voucher.code_config.charset).toBe('Q');
  });

  it('says its own texts for violated rules that have none', async () => {
    const made = await create({ error_messages: { order_rules_violated: 'Spend 50.00, please' } });
    const ruled = async (code: string, error?: object): Promise<() => Promise<unknown>> => {
      const condition = {
        name: 'order.amount',
        conditions: { $more_than: [5_000] },
        ...(error && { error }),
      };
      const rule = await callOf(made, 'POST', '/v1/validation-rules', {
        name: code,
        rules: { '1': condition },
      });
      const discount = { type: 'PERCENT', percent_off: 10 };
      const body = { code, discount, validation_rules: [rule.body.id] };
      expect(await callOf(made, 'POST', '/v1/vouchers', body)).toMatchObject({ status: 200 });
      return async () => {
        const redeemables = [{ object: 'voucher', id: code }];
        const request = { redeemables, order: { amount: 100 } };
        const { body: answer } = await callOf(made, 'POST', '/v1/validations', request);
        const { key, error: inner } = answer.redeemables[0].result.error;
        return [key, inner?.message ?? null];
      };
    };
    const silent = await ruled('SILENT');
    const telling = await ruled('TELLING', { message: 'No' });
    const key = 'order_rules_violated';
    expect([await silent(), await telling()]).toEqual([
      [key, 'Spend 50.00, please'],
      [key, 'No'],
    ]);
    const said = (error_messages: object) => manage('PUT', `/${made.id}`, { error_messages });
    expect((await said({ order_rules_violated: 'More', customer_rules_violated: '' })).body).toMatchObject({
      error_messages: { order_rules_violated: 'More' },
    });
    expect(await silent()).toEqual([key, 'More']);
    expect((await said({})).body).not.toHaveProperty('error_messages');
    expect(await silent()).toEqual([key, null]);
  });

  it('lets browsers in, and keeps them out, from the next request on', async () => {
    const made = await create();
    const origin = 'https://new.example.com';
    expect((await fromBrowser(made, origin)).status).toBe(403);
    for (const [change, status] of [
      [{ client_trusted_domains: ['new.example.com'], client_redeem_enabled: true }, 404],
      [{ client_redeem_enabled: false }, 403],
      [{ client_redeem_enabled: true }, 404],
      [{ client_trusted_domains: [] }, 403],
    ] as const) {
      await manage('PUT', `/${made.id}`, change);
      expect(await fromBrowser(made, origin)).toMatchObject({ status });
    }
  });

  it('deletes one: its keys and tokens end at once', async () => {
    const made = await create();
    const form = new URLSearchParams({ grant_type: 'client_credentials', scope: 'api' });
    const keys = {
      'x-app-id': made.server_side_key.app_id as string,
      'x-app-token': made.server_side_key.app_token as string,
    };
    const issued = await fetch(`${scrip.origin}/v1/oauth/token`, {
      method: 'POST',
      headers: keys,
      body: form,
    });
    const { access_token } = (await issued.json()) as { access_token: string };
    const withToken = async () =>
      (await fetch(`${scrip.origin}/v1/vouchers`, { headers: { authorization: `Bearer ${access_token}` } }))
        .status;
    expect(await withToken()).toBe(200);
    expect(await manage('DELETE', `/${made.id}`)).toMatchObject({ status: 204, body: null });
    expect(await withToken()).toBe(401);
    expect((await callOf(made, 'GET', '/v1/vouchers')).status).toBe(401);
    expect((await fromBrowser(made, 'https://new.example.com')).status).toBe(401);
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['GET', '/webhooks'],
    ])
      expect(await manage(method!, `/${made.id}${path}`, method === 'PUT' ? {} : undefined)).toMatchObject({
        status: 404,
        body: {
          key: 'not_found',
          details: `Cannot find project with id ${made.id}`,
          resource_id: made.id,
          resource_type: 'project',
        },
      });
    const { body: list } = await manage('GET', '');
    expect(list.data.map(({ id }: { id: string }) => id)).not.toContain(made.id);
  });

  it('never deletes the project that a start of the server made', async () => {
    const { project_id: id } = scrip.credentials;
    expect(await manage('DELETE', `/${id}`)).toMatchObject({
      status: 400,
      body: {
        key: 'resource_protected',
        message: 'Resource protected',
        details: `Cannot delete project with id ${id}: it is the sandbox`,
      },
    });
    expect((await manage('GET', `/${id}`)).body).toMatchObject({ is_sandbox: true });
    expect((await scrip.call('GET', '/v1/vouchers')).status).toBe(200);
  });

  it('keeps what other projects have out of a new one', async () => {
    await campaignOf(scrip, 'Others', 1);
    const made = await create();
    for (const path of ['/v1/vouchers', '/v1/campaigns'])
      expect((await callOf(made, 'GET', path)).body).toMatchObject({ total: 0 });
    expect((await manage('GET', `/${made.id}/webhooks`)).body).toMatchObject({ total: 0 });
  });

  test.each<[string, object, string]>([
    ['no name', { name: undefined }, "Payload must have required property 'name'"],
    [
      'no choice of cases',
      { case_sensitive_codes: undefined },
      "Payload must have required property 'case_sensitive_codes'",
    ],
    ['an empty name', { name: '' }, 'Property .name should NOT be shorter than 1 characters'],
    [
      'an unknown time zone',
      { timezone: 'Europe/Krakow' },
      'Property .timezone must be an IANA time zone or a distance from GMT in whole hours, as GMT+2',
    ],
    ['an unknown currency', { currency: 'XQX' }, 'Property .currency must be an ISO 4217 currency code'],
    [
      'a domain that is none',
      { client_trusted_domains: ['a.example.com', 'a b'] },
      'Property .client_trusted_domains[1] must be an origin, a host or *',
    ],
    [
      'an address that is none',
      { webhooks_callout_notifications: { distributions: silent, webhooks: { ...silent, emails: ['ada'] } } },
      'Property .webhooks_callout_notifications.webhooks.emails[0] must be a valid email',
    ],
    [
      'a threshold below 10',
      {
        api_usage_notifications: {
          ...{ messages: { ...off, value: 9 }, api_calls: off, bulk_api_calls: off },
          ...{ webhook_calls: off, cycle_calls: off },
        },
      },
      'Property .api_usage_notifications.messages.value must be >= 10',
    ],
  ])('refuses %s', async (_, change, details) => {
    expect(await manage('POST', '', { ...newProject, ...change })).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details },
    });
  });

  it('refuses another cluster', async () => {
    expect(await manage('POST', '', { ...newProject, cluster_id: 'us1' })).toMatchObject({
      status: 403,
      body: { key: 'forbidden', message: 'Forbidden', details: 'Project is bound to different region' },
    });
  });
});
