import { Bootstrap, KeyLifecycle } from '@scrip/auth';
import { type AccessWorld, httpCall } from '@scrip/edge/testing';
import { isRefused, newId, Secret } from '@scrip/kernel';
import { waitUntil } from '@scrip/testing';
import { bootShape } from '../e2e/running-shape.fixture';
import { decisionBodies, redeemables } from './decision-bodies.fixture';

type Json = Record<string, unknown>;

const origin = 'https://shop.example.com';
const management = { 'X-Management-Id': 'boss', 'X-Management-Token': 'boss-secret' };
const keysOf = (app: string) => ({ 'X-App-Id': app, 'X-App-Token': 'server-secret' });

/** Of rewards, which no route of a test gives metadata. */
const metadataSchema = {
  related_object: 'reward',
  properties: { shelf: { type: 'string', optional: false, array: false, eq: ['A', 'B'] } },
};

const eventSchema = {
  name: 'read',
  schema: { properties: { issue: { type: 'number', optional: true } } },
};

const branding = {
  brand: { name: 'Shop' },
  address: { street: 'Main Street 1', city: 'Katowice', postal: null, country: 'Poland' },
  contact: { email: 'ada@example.com' },
};

const location = {
  name: 'Centre',
  shape: { type: 'circle', format: 'distance', distance: { center: 'geo:52,21', radius: '1 km' } },
};

/** A good body of each route that takes one. */
const goodBodies: Readonly<Record<string, unknown>> = {
  ...decisionBodies,
  'POST /v1/campaigns': {
    name: 'Welcome',
    campaign_type: 'DISCOUNT_COUPONS',
    type: 'AUTO_UPDATE',
    vouchers_count: 1,
    start_date: '2026-01-01',
    voucher: {
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'PERCENT', percent_off: 10 },
      redemption: { quantity: 1 },
      code_config: { length: 8, prefix: 'A' },
    },
    metadata: { a: 1 },
  },
  'POST /v1/referrals/members/{memberId}/holders': { holders: [{ source_id: 'bea' }] },
  'POST /v1/referrals/{campaignId}/members/{memberId}/holders': { holders: [{ source_id: 'cid' }] },
  'POST /v1/categories': { name: 'Seasonal', hierarchy: 2 },
  'PUT /v1/categories/{categoryId}': { name: 'Other', hierarchy: 1 },
  'PUT /client/v1/vouchers/{code}': { expiration_date: null },
  'POST /v1/customers': { source_id: 'ada', name: 'Ada', address: { city: 'London' }, metadata: { a: 1 } },
  'PUT /v1/customers/{customerId}': { phone: '1', birthdate: '1815-12-10' },
  'POST /v1/oauth/token': { grant_type: 'client_credentials', scope: 'api' },
  'POST /v1/oauth/introspect': { access_token: 'eu1-x' },
  'POST /v1/oauth/token/revoke': { access_token: 'eu1-x' },
  'POST /management/v1/projects/{projectId}/webhooks': {
    target_url: 'https://example.com/hook',
    events: ['voucher.created'],
  },
  'PUT /management/v1/projects/{projectId}/webhooks/{webhookId}': { active: false },
  'POST /v1/products': { name: 'One' },
  'PUT /v1/products/{productId}': { name: 'Other' },
  'POST /v1/products/{productId}/skus': { sku: 'One' },
  'PUT /v1/products/{productId}/skus/{skuId}': { sku: 'Other' },
  'POST /v1/metadata-schemas': metadataSchema,
  'PUT /v1/metadata-schemas/{resource}': { properties: metadataSchema.properties },
  'POST /management/v1/projects/{projectId}/metadata-schemas': metadataSchema,
  'PUT /management/v1/projects/{projectId}/metadata-schemas/{metadataSchemaId}': { allow_defined_only: true },
  'POST /management/v1/projects': {
    name: 'Shop',
    case_sensitive_codes: true,
    timezone: 'UTC',
    currency: 'EUR',
  },
  'POST /management/v1/projects/{projectId}/custom-event-schemas': eventSchema,
  'PUT /management/v1/projects/{projectId}/custom-event-schemas/{customEventSchemaId}': {
    schema: eventSchema.schema,
  },
  'POST /management/v1/projects/{projectId}/locations': location,
  'PUT /management/v1/projects/{projectId}/locations/{locationId}': { name: 'Other' },
  'POST /management/v1/projects/{projectId}/branding': branding,
  'PUT /management/v1/projects/{projectId}/branding/{brandingId}': { brand: { name: 'Other' } },
  'POST /management/v1/projects/{projectId}/keys': { name: 'Till', kind: 'client' },
  'PUT /management/v1/projects/{projectId}/keys/{keyId}': { name: 'Desk' },
  'POST /management/v1/projects/{projectId}/users': { login: 'admin', role: 'USER' },
  'PUT /management/v1/projects/{projectId}/users/{userId}': { role: 'VIEWER' },
  'POST /management/v1/projects/users/invite': {
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'King',
    projects: { proj_mine: 'USER' },
  },
  'POST /v1/segments': {
    name: 'Londoners',
    type: 'passive',
    filter: { junction: 'and', city: { conditions: { $is: ['London'] } } },
  },
  'PUT /v1/segments/{segmentId}': { name: 'Customers in London' },
  'POST /v1/product-collections': { name: 'One', type: 'STATIC' },
  'PUT /v1/product-collections/{productCollectionId}': { name: 'Other' },
  'POST /v1/promotions/{campaignId}/tiers': { name: 'One' },
  'PUT /v1/promotions/tiers/{promotionTierId}': { name: 'Other' },
  'POST /v1/promotions/{campaignId}/stacks': { name: 'One', tiers: { ids: ['promo_none'] } },
  'PUT /v1/promotions/{campaignId}/stacks/{stackId}': { name: 'Other' },
  'POST /management/v1/projects/{projectId}/templates/campaigns/{campaignTemplateId}/copy': {
    name: 'Copy',
    destination_project_id: 'proj_mine',
  },
  'POST /v1/templates/campaigns': { name: 'Template', campaign_id: 'Welcome' },
  'PUT /v1/templates/campaigns/{campaignTemplateId}': { name: 'Other template' },
  'POST /v1/templates/campaigns/{campaignTemplateId}/campaign-setup': { name: 'Set up' },
  'POST /v1/templates/campaigns/{campaignTemplateId}/tier-setup': { name: 'One', campaign_id: 'Weekdays' },
};

/** A body to redeem `code` with. */
const redeeming = (code: string): Json => ({
  redeemables: [{ object: 'voucher', id: code }],
  order: { amount: 1_000, items: [{ product_id: 'p_1', quantity: 1, price: 1_000 }] },
  customer: { source_id: 'ada' },
});

/** All contexts behind the edge with two projects, and what the second one has. */
export interface AccessFixture {
  url: string;
  world: AccessWorld;
  /** Headers of a new key of the first project with a role; a client-side one with an admitted Origin. */
  keyOf(kind: 'server' | 'client', role: string): Promise<Record<string, string>>;
  close(): Promise<void>;
}

/** What a project has for others to try: ids by path parameter. */
const filled = async (url: string, app: string, projectId: string): Promise<Record<string, string>> => {
  const send = async (method: 'POST' | 'GET' | 'DELETE', path: string, body?: Json): Promise<Json> => {
    const headers = { 'Content-Type': 'application/json', ...keysOf(app), ...management };
    const answer = await httpCall(url)({ method, path, headers, ...(body ? { body } : {}) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer.body as Json;
  };
  const hooks = `/management/v1/projects/${projectId}`;
  const webhook = await send('POST', `${hooks}/webhooks`, {
    target_url: 'https://127.0.0.1:1/hook',
    events: ['redemption.succeeded'],
  });
  const schema = await send('POST', `${hooks}/metadata-schemas`, {
    ...metadataSchema,
    related_object: 'loyalty_tier',
  });
  await send('POST', '/management/v1/projects/users/invite', {
    email: `${projectId}@example.com`,
    ...{ first_name: 'Tom', last_name: 'King', projects: { [projectId]: 'USER' } },
  });
  const users = (await send('GET', `${hooks}/users`)).data as { id: string; login: string }[];
  const ofEvents = await send('POST', `${hooks}/custom-event-schemas`, eventSchema);
  const place = await send('POST', `${hooks}/locations`, location);
  const brand = await send('POST', `${hooks}/branding`, branding);
  const stackingRules = await send('POST', `${hooks}/stacking-rules`, {});
  const campaign = await send('POST', '/v1/campaigns', {
    ...(goodBodies['POST /v1/campaigns'] as Json),
    vouchers_count: 2,
  });
  const promotion = (await send('POST', '/v1/campaigns', {
    name: newId('n-'),
    promotion: { tiers: [{ name: 'One', action: { discount: { type: 'AMOUNT', amount_off: 10 } } }] },
  })) as { id: string; promotion: { tiers: { id: string }[] } };
  const promotionTierId = promotion.promotion.tiers[0]?.id ?? '';
  const tierStack = await send('POST', `/v1/promotions/${promotion.id}/stacks`, {
    name: 'One',
    tiers: { ids: [promotionTierId] },
  });
  const template = await send('POST', '/v1/templates/campaigns', {
    name: newId('n-'),
    campaign_id: campaign.id as string,
  });
  const code = newId('CODE-').toUpperCase();
  await send('POST', `/v1/campaigns/${campaign.id as string}/vouchers/${code}`, {});
  const redeemed = await send('POST', '/v1/redemptions', redeeming(code));
  for (const [open, body] of Object.entries(redeemables)) await send('POST', `/v1/vouchers/${open}`, body);
  const program = await send('POST', '/v1/campaigns', {
    name: newId('n-'),
    campaign_type: 'REFERRAL_PROGRAM',
    voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
  });
  const memberId = newId('FRIEND-').toUpperCase();
  await send('POST', `/v1/campaigns/${program.id as string}/vouchers/${memberId}`, {});
  await send('POST', '/v1/publications', { voucher: memberId, customer: { source_id: 'referrer' } });
  const stacked = [newId('STACK-').toUpperCase(), newId('STACK-').toUpperCase()];
  for (const one of stacked) await send('POST', `/v1/campaigns/${campaign.id as string}/vouchers/${one}`, {});
  const stack = await send('POST', '/v1/redemptions', {
    redeemables: stacked.map((id) => ({ object: 'voucher', id })),
    customer: { source_id: 'ada' },
  });
  const category = await send('POST', '/v1/categories', { name: 'Filled', hierarchy: 1 });
  const customer = await send('POST', '/v1/customers', { name: 'Ada' });
  const segment = await send('POST', '/v1/segments', { name: 'Fixed', type: 'static', customers: [] });
  const collection = await send('POST', '/v1/product-collections', { name: 'Fixed', type: 'STATIC' });
  const rule = await send('POST', '/v1/validation-rules', { name: 'Everybody' });
  const ruleOf = `/v1/validation-rules/${rule.id as string}/assignments`;
  const assignment = await send('POST', ruleOf, {
    related_object_type: 'campaign',
    related_object_id: campaign.id as string,
  });
  const firstOf = async (path: string, list: string): Promise<string> => {
    const listed = async () => ((await send('GET', path))[list] as { id: string }[])[0]?.id;
    await waitUntil(async () => (await listed()) !== undefined, { what: `something at ${path}` });
    return (await listed()) as string;
  };
  const productId = (await send('POST', '/v1/products', { name: newId('n-') })).id as string;
  const binned = await send('POST', '/v1/products', { name: 'Binned' });
  await send('DELETE', `/v1/products/${binned.id as string}`);
  return {
    campaignId: campaign.id as string,
    memberId,
    holderId: await firstOf(`/v1/referrals/members/${memberId}/holders`, 'data'),
    code,
    sessionKey: 'cart',
    categoryId: category.id as string,
    customerId: customer.id as string,
    redemptionId: (redeemed.redemptions as { id: string }[])[0]?.id ?? '',
    parentRedemptionId: (stack.parent_redemption as { id: string }).id,
    asyncActionId: await firstOf('/v1/async-actions', 'async_actions'),
    productId,
    skuId: (await send('POST', `/v1/products/${productId}/skus`, { sku: 'Variant' })).id as string,
    promotionTierId,
    stackId: tierStack.id as string,
    campaignTemplateId: template.id as string,
    webhookId: webhook.id as string,
    stackingRulesId: stackingRules.id as string,
    metadataSchemaId: schema.id as string,
    resource: schema.id as string,
    segmentId: segment.id as string,
    customEventSchemaId: ofEvents.id as string,
    locationId: place.id as string,
    keyId: (await send('POST', `${hooks}/keys`, { name: 'Till', kind: 'server' })).id as string,
    brandingId: brand.id as string,
    userId: users.find(({ login }) => login.startsWith(projectId))?.id ?? '',
    productCollectionId: collection.id as string,
    validationRuleId: rule.id as string,
    assignmentId: assignment.id as string,
    binEntryId: await firstOf('/v1/trash-bin', 'data'),
    sendoutId: await firstOf(`${hooks}/webhook-sendouts`, 'data'),
  };
};

/** Calls from an address of its own each: one address may send a few hundred wrong credentials a minute only. */
const fromManyAddresses = (call: AccessWorld['call']): AccessWorld['call'] => {
  let calls = 0;
  return (request) => {
    const address = `10.0.${(calls >> 8) % 256}.${calls % 256}`;
    calls += 1;
    return call({ ...request, headers: { ...request.headers, 'X-Forwarded-For': address } });
  };
};

/** Boots everything on a new database. Client-side calls are not limited, unless `env` says so. */
export const bootAccess = async (env: NodeJS.ProcessEnv = {}): Promise<AccessFixture> => {
  const shape = await bootShape({
    SCRIP_CLIENT_CALLS_PER_5_SECONDS: '1000000',
    SCRIP_TRUST_PROXY: '127.0.0.1',
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    ...env,
  });
  const bootstrap = shape.of('auth').get(Bootstrap, { strict: false });
  for (const name of ['other', 'mine']) {
    await bootstrap.run({
      projectId: `proj_${name}`,
      appId: `app-${name}`,
      appToken: new Secret('server-secret'),
      clientAppId: `web-${name}`,
      clientToken: new Secret('client-secret'),
      managementId: 'boss',
      managementToken: new Secret('boss-secret'),
      clientTrustedDomains: ['shop.example.com'],
      clientSwitches: { client_redeem_enabled: true },
    });
  }
  const foreign = await filled(shape.url, 'app-other', 'proj_other');
  const mine = await filled(shape.url, 'app-mine', 'proj_mine');
  const call = fromManyAddresses(httpCall(shape.url));
  const tokens = new Map<string, Promise<Record<string, string>>>();
  const issue = async (scope: string): Promise<Record<string, string>> => {
    const headers = { ...keysOf('app-mine'), 'Content-Type': 'application/x-www-form-urlencoded' };
    const body = { grant_type: 'client_credentials', scope };
    const answer = await call({ method: 'POST', path: '/v1/oauth/token', headers, body });
    return { Authorization: `Bearer ${(answer.body as { access_token: string }).access_token}` };
  };
  const world: AccessWorld = {
    call,
    keys: {
      server: keysOf('app-mine'),
      client: { 'X-Client-Application-Id': 'web-mine', 'X-Client-Token': 'client-secret', Origin: origin },
      management,
    },
    token: (scope) => {
      const token = tokens.get(scope) ?? issue(scope);
      tokens.set(scope, token);
      return token;
    },
    own: () => ({ ...mine, projectId: 'proj_mine' }),
    foreign: ({ path }) => {
      const named = Object.entries(foreign).filter(([parameter]) => path.includes(`{${parameter}}`));
      return named.length > 0 ? Object.fromEntries(named) : null;
    },
    body: ({ method, path }) => goodBodies[`${method} ${path}`] ?? {},
  };
  const keys = shape.of('auth').get(KeyLifecycle, { strict: false });
  const keyOf = async (kind: 'server' | 'client', role: string): Promise<Record<string, string>> => {
    const key = await keys.issue({ projectId: 'proj_mine', kind, name: role, role });
    if (isRefused(key)) throw new Error(`no key: ${key.refused}`);
    const secret = key.secret.reveal();
    return kind === 'server'
      ? { 'X-App-Id': key.id, 'X-App-Token': secret }
      : { 'X-Client-Application-Id': key.id, 'X-Client-Token': secret, Origin: origin };
  };
  return { url: shape.url, world, keyOf, close: () => shape.close() };
};
