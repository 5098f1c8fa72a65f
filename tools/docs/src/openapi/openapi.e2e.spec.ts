import { publicRoutes } from '@scrip/contracts/registry';
import { adminPassword, type ScripProject, sharedScrip, waitUntil } from '@scrip/testing';
import { readFileSync } from 'node:fs';
import { type Call, answerComplaints, requestComplaints } from './documented-calls.fixture';
import { openApiFile, sdkFile } from './openapi-file';

type Json = Record<string, any>;

// The project does not trust it.
const origin = 'https://stranger.example.com';

const campaign = {
  name: 'Spring',
  campaign_type: 'DISCOUNT_COUPONS',
  vouchers_count: 3,
  start_date: '2026-01-01',
  validity_hours: { daily: [{ days_of_week: [0, 1, 2, 3, 4, 5, 6], start_time: '00:00' }] },
  voucher: {
    type: 'DISCOUNT_VOUCHER',
    discount: { type: 'AMOUNT', amount_off: 500 },
    redemption: { quantity: 2 },
    code_config: { length: 8, prefix: 'SPRING-' },
  },
  metadata: { season: 'spring' },
};

const order = {
  source_id: 'order-1',
  status: 'PAID',
  items: [{ product_id: 'prod_1', quantity: 2, price: 1_000, product: { name: 'Tea' } }],
};

const redeeming = (...codes: string[]) => ({
  redeemables: codes.map((id) => ({ object: 'voucher', id })),
  customer: { source_id: 'ada', name: 'Ada', email: 'ada@example.com', address: { city: 'London' } },
  metadata: { till: 3 },
});

/** Operations that answer something else than JSON, are looked at elsewhere here, or need a trusted domain. */
const notAnsweredWithJson = [
  'GET /v1/assets/qr/{id}',
  'GET /v1/assets/barcode/{id}',
  'POST /client/v1/validations',
  'POST /client/v1/redemptions',
  'GET /v1/task-results/{id}',
  'GET /openapi.json',
  'GET /openapi.sdk.json',
  'GET /docs',
  'GET /docs/{asset}',
];

/** Calls that the document and the API must both refuse. */
const badRequests: readonly Pick<Call, 'method' | 'path' | 'body'>[] = [
  { method: 'POST', path: '/v1/campaigns', body: {} },
  { method: 'POST', path: '/v1/campaigns', body: { ...campaign, name: 'x'.repeat(513) } },
  { method: 'POST', path: '/v1/campaigns', body: { ...campaign, start_date: 'tomorrow' } },
  { method: 'POST', path: '/v1/campaigns', body: { ...campaign, validity_hours: {} } },
  { method: 'POST', path: '/v1/campaigns', body: { ...campaign, voucher: { discount: { type: 'FREE' } } } },
  {
    method: 'POST',
    path: '/v1/campaigns',
    body: { ...campaign, voucher: { discount: { type: 'PERCENT', percent_off: 101 } } },
  },
  { method: 'POST', path: '/v1/redemptions', body: { redeemables: [] } },
  { method: 'POST', path: '/v1/redemptions', body: { redeemables: [{ object: 'coupon', id: 'A' }] } },
  { method: 'POST', path: '/v1/redemptions', body: { ...redeeming('A'), order: { amount: 1.5 } } },
  { method: 'POST', path: '/v1/validations', body: { ...redeeming('A'), session: { type: 'LOCK' } } },
  { method: 'POST', path: '/v1/segments', body: { type: 'static', customers: [] } },
  { method: 'POST', path: '/v1/segments', body: { name: 'All', type: 'dynamic', customers: [] } },
  { method: 'POST', path: '/v1/segments', body: { name: 'All', filter: { colour: { conditions: {} } } } },
  { method: 'POST', path: '/v1/oauth/token', body: { scope: 'api' } },
  {
    method: 'POST',
    path: '/management/v1/projects',
    body: { name: 'Shop', timezone: 'UTC', currency: 'EUR' },
  },
  { method: 'POST', path: '/management/v1/projects/{projectId}/webhooks', body: { events: [] } },
  {
    method: 'POST',
    path: '/management/v1/projects/{projectId}/webhooks',
    body: { target_url: 'https://example.com', events: ['voucher.created'], headers: { a: 1 } },
  },
  { method: 'POST', path: '/v1/metadata-schemas', body: { related_object: 'order' } },
  {
    method: 'POST',
    path: '/v1/metadata-schemas',
    body: { related_object: 'order', properties: { a: { type: 'text' } } },
  },
];

describe('the document of a running Scrip', () => {
  let scrip: ScripProject;
  const asked: Call[] = [];

  beforeAll(async () => {
    scrip = await sharedScrip();
  }, 240_000);

  /** Of the user's session; empty before. */
  let cookie = '';

  const credentialsOf = (path: string): Record<string, string> => {
    const { management_id, management_token, client_app_id, client_token } = scrip.credentials;
    if (path.startsWith('/management'))
      return { 'x-management-id': management_id, 'x-management-token': management_token };
    if (path.startsWith('/dashboard'))
      return { 'x-scrip-dashboard': '1', 'sec-fetch-site': 'same-origin', cookie };
    if (!path.startsWith('/client')) return scrip.serverKeys;
    return {
      'x-client-application-id': client_app_id,
      'x-client-token': client_token,
      origin,
    };
  };

  const send = async (
    method: Call['method'],
    path: string,
    {
      parameters = {},
      query = '',
      body,
    }: { parameters?: Record<string, string>; query?: string; body?: unknown } = {},
  ): Promise<{ status: number; answer: Json }> => {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent({ projectId: scrip.credentials.project_id, ...parameters }[name] ?? ''),
    );
    const isForm = path.startsWith('/v1/oauth');
    const response = await fetch(scrip.origin + filled + query, {
      method,
      headers: {
        ...credentialsOf(path),
        // What the document names, the API reads.
        prefer: 'handling=strict',
        ...(body === undefined
          ? {}
          : { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }),
      },
      ...(body === undefined
        ? {}
        : {
            body: isForm
              ? new URLSearchParams(body as Record<string, string>).toString()
              : JSON.stringify(body),
          }),
    });
    const [set] = response.headers.getSetCookie();
    if (set !== undefined) cookie = set.split(';')[0] ?? '';
    const text = await response.text();
    const answer = text === '' ? null : (JSON.parse(text) as Json);
    asked.push({ method, path, status: response.status, body, answer });
    return { status: response.status, answer: answer ?? {} };
  };

  /** A new project, and what managers do with one. */
  const askManagement = async (): Promise<void> => {
    const all = '/management/v1/projects';
    const { answer: made } = await send('POST', all, {
      body: { name: 'Shop', case_sensitive_codes: true, timezone: 'GMT+2', currency: 'EUR' },
    });
    const projectId = made.id as string;
    const one = { parameters: { projectId } };
    await send('GET', all);
    await send('PUT', `${all}/{projectId}`, { ...one, body: { default_code_config: { charset: 'ABC' } } });
    await send('GET', `${all}/{projectId}`, one);
    const rules = `${all}/{projectId}/stacking-rules`;
    await send('GET', rules, one);
    const { answer: stored } = await send('POST', rules, {
      ...one,
      body: { exclusive_categories: ['cat_a'] },
    });
    await send('POST', rules, { ...one, body: {} });
    const ofRules = { parameters: { projectId, stackingRulesId: stored.id as string } };
    await send('PUT', `${rules}/{stackingRulesId}`, { ...ofRules, body: { redeemables_limit: 20 } });
    await send('GET', `${rules}/{stackingRulesId}`, ofRules);
    await send('DELETE', `${rules}/{stackingRulesId}`, ofRules);
    await send('DELETE', `${all}/{projectId}`);
    await send('DELETE', `${all}/{projectId}`, one);
  };

  it('is the committed one, whatever the shape', async () => {
    const response = await fetch(`${scrip.origin}/openapi.json`);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual(JSON.parse(readFileSync(openApiFile, 'utf8')));
  });

  it('is served for generators of clients too', async () => {
    const response = await fetch(`${scrip.origin}/openapi.sdk.json`);
    expect(await response.json()).toEqual(JSON.parse(readFileSync(sdkFile, 'utf8')));
  });

  it('is browsable without anything from elsewhere', async () => {
    const page = await fetch(`${scrip.origin}/docs`);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    const html = await page.text();
    const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '');
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) {
      const address = new URL(part, page.url);
      expect(address.origin).toBe(scrip.origin);
      const asset = await fetch(address);
      expect([part, asset.status]).toEqual([part, 200]);
      const again = await fetch(address, { headers: { 'if-none-match': asset.headers.get('etag') ?? '' } });
      expect([part, again.status]).toEqual([part, 304]);
    }
    expect((await fetch(`${scrip.origin}/docs/package.json`)).status).toBe(404);
    expect((await fetch(`${scrip.origin}/docs/toString`)).status).toBe(404);
  });

  const askSessions = async (): Promise<void> => {
    const session = '/dashboard/api/session';
    const signIn = (password: string) => send('POST', session, { body: { login: 'admin', password } });
    const change = (current_password: string, password: string) =>
      send('PUT', `${session}/password`, { body: { current_password, password } });
    await send('GET', session);
    await signIn('a wrong password');
    const { answer: first } = await signIn(adminPassword);
    await signIn(adminPassword);
    await send('GET', session);
    await send('GET', '/dashboard/api/sessions');
    for (const parameters of [{ sessionId: first.id as string }, { sessionId: 'ses_none' }])
      await send('DELETE', '/dashboard/api/sessions/{sessionId}', { parameters });
    await send('POST', `${session}/password-again`, { body: { password: adminPassword } });
    await change(adminPassword, 'too common');
    await change(adminPassword, 'correct horse battery staple');
    // Other specs sign in with it too.
    await change('correct horse battery staple', adminPassword);
    await send('DELETE', session);
  };

  const askProducts = async (): Promise<void> => {
    const [one, skus] = ['/v1/products/{productId}', '/v1/products/{productId}/skus'];
    const { answer: product } = await send('POST', '/v1/products', {
      body: { name: 'One', attributes: ['color'], metadata: { a: 1 } },
    });
    const parameters = { productId: product.id as string };
    await send('PUT', one, { parameters, body: { price: 5, image_url: 'https://shop.example.com/a.png' } });
    const { answer: sku } = await send('POST', skus, {
      parameters,
      body: { source_id: 'described', sku: 'Blue', attributes: { color: 'blue' } },
    });
    const ofSku = { ...parameters, skuId: sku.id as string };
    await send('PUT', `${skus}/{skuId}`, { parameters: ofSku, body: { price: 6, currency: 'EUR' } });
    await send('PUT', `${skus}/{skuId}`, { parameters: ofSku, body: { attributes: { size: 'M' } } });
    await send('GET', '/v1/products', { query: '?limit=5' });
    await send('GET', skus, { parameters });
    await send('GET', '/v1/skus/{skuId}', { parameters: { skuId: 'described' } });
    await send('GET', one, { parameters });
    await send('GET', one, { parameters, query: '?hide=sku' });
    await send('DELETE', `${skus}/{skuId}`, { parameters: ofSku });
    await send('DELETE', one, { parameters, query: '?force=true' });
    await send('GET', one, { parameters });
  };

  const askSegments = async (): Promise<void> => {
    const { answer: segment } = await send('POST', '/v1/segments', {
      body: { name: 'Londoners', type: 'passive', filter: { city: { conditions: { $is: ['London'] } } } },
    });
    const { answer: fixed } = await send('POST', '/v1/segments', { body: { name: 'Fixed', customers: [] } });
    const segmentId = segment.id as string;
    await send('PUT', '/v1/segments/{segmentId}', { parameters: { segmentId }, body: { name: 'Of London' } });
    await send('GET', '/v1/segments/{segmentId}', { parameters: { segmentId } });
    await send('GET', '/v1/segments', {
      query: `?ids[]=${segmentId}&filters[type][conditions][$is]=passive`,
    });
    await send('GET', '/v1/customers/{customerId}/segments', { parameters: { customerId: 'ada' } });
    await send('DELETE', '/v1/segments/{segmentId}', { parameters: { segmentId: fixed.id as string } });
  };

  const askCustomers = async (): Promise<void> => {
    const one = '/v1/customers/{customerId}';
    const { answer } = await send('POST', '/v1/customers', {
      body: {
        source_id: 'described',
        birthdate: '1815-12-10',
        address: { city: 'London' },
        metadata: { a: 1 },
      },
    });
    const parameters = { customerId: answer.id as string };
    await send('PUT', one, { parameters, body: { name: 'Ada', address: null } });
    await send('GET', one, { parameters: { customerId: 'described' } });
    await send('GET', '/v1/customers', { query: '?limit=2&order=-updated_at&city=London' });
    await send('DELETE', one, { parameters });
    await send('GET', one, { parameters });
    await send('POST', `${one}/permanent-deletion`, { parameters });
    const body = [{ source_id: 'described', metadata: { a: 1 } }];
    await send('POST', '/v1/customers/bulk/async', { body });
    await send('POST', '/v1/customers/metadata/async', {
      body: { source_ids: ['described'], metadata: { b: 2 } },
    });
  };

  it('describes the requests and answers of the main job', async () => {
    const { answer: token } = await send('POST', '/v1/oauth/token', {
      body: { grant_type: 'client_credentials', scope: 'vouchers campaigns' },
    });
    const access = { access_token: token.access_token as string };
    await send('POST', '/v1/oauth/introspect', { body: access });
    await send('POST', '/v1/oauth/token/revoke', { body: access });
    await send('POST', '/v1/oauth/token/revoke', { body: access });
    await send('POST', '/v1/oauth/introspect', { body: access });

    const hooks = '/management/v1/projects/{projectId}/webhooks';
    const { answer: webhook } = await send('POST', hooks, {
      body: {
        target_url: 'https://127.0.0.1:1/hooks',
        events: ['redemption.succeeded'],
        headers: { 'x-till': '3' },
      },
    });
    const named = { webhookId: webhook.id as string };
    await send('PUT', `${hooks}/{webhookId}`, {
      parameters: named,
      body: { target_url: webhook.target_url, events: ['*'], active: true },
    });
    await send('GET', `${hooks}/{webhookId}`, { parameters: named });
    await send('GET', hooks);

    const note = { type: 'string', optional: true, array: false };
    for (const [path, name, definition] of [
      ['/v1/metadata-schemas', 'resource', { ...note, maxLength: 9 }],
      [
        '/management/v1/projects/{projectId}/metadata-schemas',
        'metadataSchemaId',
        { ...note, max_length: 9 },
      ],
    ] as const) {
      const properties = { note: definition };
      const { answer: schema } = await send('POST', path, {
        body: { related_object: 'earning_rule', properties },
      });
      const parameters = { [name]: schema.id as string };
      await send('PUT', `${path}/{${name}}`, {
        parameters,
        body: { properties: { note: { ...definition, deleted: true } } },
      });
      await send('GET', `${path}/{${name}}`, { parameters });
      await send('GET', path);
      await send('DELETE', `${path}/{${name}}`, { parameters });
    }

    const { answer: created } = await send('POST', '/v1/campaigns', { body: campaign });
    const campaignId = created.id as string;
    await waitUntil(
      async () =>
        (await send('GET', '/v1/campaigns/{campaignId}', { parameters: { campaignId } })).answer
          .vouchers_generation_status === 'DONE',
      { what: 'the codes' },
    );
    await send('GET', '/v1/campaigns', {
      query: '?limit=5&filters[active][$enabled]=true&order=-updated_at',
    });
    const codes = '/v1/campaigns/{campaignId}/vouchers';
    const { answer: added } = await send('POST', codes, { parameters: { campaignId }, body: {} });
    await send('POST', codes, { parameters: { campaignId }, query: '?vouchers_count=2', body: {} });
    for (const code of ['ONE', 'TWO']) {
      await send('POST', `${codes}/{code}`, {
        parameters: { campaignId, code },
        body: { metadata: { of: code } },
      });
    }
    await send('GET', '/v1/vouchers/{code}', { parameters: { code: 'ONE' } });
    await send('GET', '/v1/vouchers', { query: `?ids[]=${added.id}&created_at[after]=2026-01-01` });
    await waitUntil(
      async () => ((await send('GET', '/v1/async-actions')).answer.async_actions as Json[]).length >= 2,
      { what: 'the tasks' },
    );
    const { answer: tasks } = await send('GET', '/v1/async-actions', { query: '?limit=1' });
    await send('GET', '/v1/async-actions/{asyncActionId}', {
      parameters: { asyncActionId: (tasks.async_actions as Json[])[0]!.id as string },
    });

    await send('POST', '/v1/validations', { body: { ...redeeming('ONE', 'TWO'), order } });
    await send('POST', '/v1/validations', {
      body: { ...redeeming('ONE', 'NONE'), options: { expand: ['redeemable', 'category'] } },
    });
    await send('POST', '/client/v1/validations', { body: redeeming('ONE') });
    await send('POST', '/client/v1/redemptions', { body: redeeming('ONE') });
    const redemptions = '/v1/redemptions';
    const { answer: single } = await send('POST', redemptions, { body: { ...redeeming('ONE'), order } });
    const { answer: stack } = await send('POST', redemptions, { body: redeeming('ONE', 'TWO') });
    await send('POST', redemptions, { body: redeeming('ONE') });
    await send('GET', redemptions, {
      query: '?result[]=SUCCESS&result[]=FAILURE&created_at[after]=2026-01-01',
    });
    const redemptionId = (single.redemptions as Json[])[0]!.id as string;
    const parentRedemptionId = (stack.parent_redemption as Json).id as string;
    const undone = { reason: 'returned', order: { status: 'CANCELED' } };
    await send('POST', '/v1/redemptions/{redemptionId}/rollback', {
      parameters: { redemptionId },
      body: undone,
    });
    await send('POST', '/v1/redemptions/{redemptionId}/rollback', { parameters: { redemptionId } });
    await send('POST', '/v1/redemptions/{parentRedemptionId}/rollbacks', {
      parameters: { parentRedemptionId },
      query: '?reason=returned',
    });
    await send('GET', '/v1/redemptions/{redemptionId}', { parameters: { redemptionId } });
    await send('GET', '/v1/redemptions/{redemptionId}', { parameters: { redemptionId: parentRedemptionId } });
    await send('GET', '/v1/redemptions/{redemptionId}', { parameters: { redemptionId: 'r_none' } });
    await send('GET', redemptions, { query: '?limit=100' });

    const { answer: stored } = await send('POST', '/v1/orders', {
      body: {
        ...order,
        source_id: 'order-1',
        customer: { source_id: 'ada' },
        referrer: { source_id: 'bea' },
      },
    });
    const orderId = stored.id as string;
    await send('PUT', '/v1/orders/{orderId}', {
      parameters: { orderId },
      body: { status: 'PAID', source_id: null, referrer_id: null, metadata: { parcel: null } },
    });
    await send('GET', '/v1/orders/{orderId}', { parameters: { orderId } });
    await send('GET', '/v1/orders', { query: '?limit=5&order=-updated_at' });

    const log = '/management/v1/projects/{projectId}/webhook-sendouts';
    await waitUntil(
      async () =>
        ((await send('GET', log, { query: '?limit=3' })).answer.data as Json[]).some(
          ({ attempts_count: count }) => count > 0,
        ),
      { what: 'a delivery' },
    );
    const { answer: sendouts } = await send('GET', log, { query: '?limit=1' });
    const sendoutId = (sendouts.data as Json[])[0]!.id as string;
    await send('GET', `${log}/{sendoutId}`, { parameters: { sendoutId } });
    // Refused while it is being delivered.
    const retry = () => send('POST', `${log}/{sendoutId}/retry`, { parameters: { sendoutId } });
    await waitUntil(async () => (await retry()).status === 202, { what: 'a retry between two attempts' });
    await send('POST', '/management/v1/projects/{projectId}/webhook-token/rotate', {
      body: { grace_period_hours: 1 },
    });
    await send('DELETE', `${hooks}/{webhookId}`, { parameters: named });
    await askCustomers();
    await askProducts();
    await askManagement();
    await askSegments();
    await askSessions();
    for (const path of ['/healthz', '/readyz']) await send('GET', path);

    const wrong = asked.flatMap((call) => {
      const told = [...requestComplaints(call), ...answerComplaints(call)];
      return told.length > 0 ? [{ call: `${call.method} ${call.path} → ${call.status}`, told }] : [];
    });
    expect(wrong).toEqual([]);
    const answered = new Set(
      asked.flatMap(({ method, path, status }) => (status < 300 ? [`${method} ${path}`] : [])),
    );
    const operations = publicRoutes.map(({ method, path }) => `${method} ${path}`);
    expect(operations.filter((operation) => !answered.has(operation))).toEqual(notAnsweredWithJson);
    expect(asked.filter(({ status }) => status >= 500)).toEqual([]);
  }, 180_000);

  it('misses no property of an answer that is not documented, or missing', () => {
    const good = asked.find(({ path, status }) => path === '/v1/redemptions' && status === 200)!;
    const { redemptions, ...others } = good.answer as { redemptions: Json[] };
    const [first, ...rest] = redemptions;
    expect(answerComplaints(good)).toEqual([]);
    const withMore = { ...others, redemptions: [{ ...first, secret: 'x' }, ...rest] };
    expect(answerComplaints({ ...good, answer: withMore })).not.toEqual([]);
    expect(answerComplaints({ ...good, answer: others })).not.toEqual([]);
    expect(answerComplaints({ ...good, status: 418 })).toEqual(['status 418 is not documented']);
  });

  it.each(
    badRequests.map(
      (bad) => [`${bad.method} ${bad.path} ${JSON.stringify(bad.body).slice(0, 80)}`, bad] as const,
    ),
  )('refuses what the API refuses: %s', async (_, { method, path, body }) => {
    expect(requestComplaints({ method, path, body })).not.toEqual([]);
    expect((await send(method, path, { body })).status).toBe(400);
  });
});
