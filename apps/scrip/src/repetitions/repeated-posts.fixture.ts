import type { ScripAnswer } from '@scrip/testing';
import { coupons, discount, type RepeatedWorld } from './repeated-world.fixture';

/** One call under a key, and what it must not do again. */
export interface RepeatedPost {
  /** As the table of routes has it. */
  route: string;
  /** What is special about it. */
  what?: string;
  /** The names and ids in the path. */
  at?: (world: RepeatedWorld) => Record<string, string>;
  query?: string;
  body?: object | ((world: RepeatedWorld) => object);
  /** Sent as a file instead of a body. */
  file?: string;
  /** What another caller does between the call and its repetition. */
  meanwhile?: (world: RepeatedWorld, first: any) => Promise<unknown>;
  /** What reads the same before the repetition and after it. */
  seen: (world: RepeatedWorld, first: any) => Promise<unknown>;
  /** What of the answer goes on by itself. */
  moving?: readonly string[];
}

/** Answers without what differs by nature. */
export const comparable = ({ status, body }: ScripAnswer, moving: readonly string[] = []): unknown => [
  status,
  JSON.parse(
    JSON.stringify(body, (name, value: unknown) =>
      ['request_id', 'updated_at', ...moving].includes(name) ? undefined : value,
    ),
  ),
];

const page = 'limit=100';
/** Lists show tasks some time after they were ordered; that a repetition answers the same one tells enough. */
const tasks = async (): Promise<null> => null;
const exports = async ({ get }: RepeatedWorld) =>
  (await get(`/v1/exports?${page}`)).exports.map(({ id }: { id: string }) => id);
const codesOf =
  (campaign: string) =>
  async ({ get }: RepeatedWorld) =>
    (await get(`/v1/vouchers?campaign=${encodeURIComponent(campaign)}&${page}`)).vouchers.map(
      ({ code }: { code: string }) => code,
    );
/** Codes of no campaign: those of campaigns are made meanwhile. */
const alone = async ({ get }: RepeatedWorld) =>
  (await get(`/v1/vouchers?${page}`)).vouchers
    .filter(({ campaign_id }: { campaign_id: string | null }) => campaign_id === null)
    .map(({ code }: { code: string }) => code);
const campaigns = async ({ get }: RepeatedWorld) =>
  (await get(`/v1/campaigns?${page}`)).campaigns.map(({ id }: { id: string }) => id);
const listed =
  (path: string) =>
  ({ get }: RepeatedWorld) =>
    get(path);
const managed =
  (path: string) =>
  ({ get, scrip }: RepeatedWorld) =>
    get(`/management/v1/projects/${scrip.credentials.project_id}/${path}`);
const project = ({ scrip }: RepeatedWorld) => ({ projectId: scrip.credentials.project_id });
const named = (names: Record<string, string>) => () => names;
const mine = '/management/v1/projects/{projectId}';
const exported = { moving: ['status', 'result'], seen: exports };

/** Calls of every kind. A route that takes keys and stands neither here nor in `notRepeated` fails the spec. */
export const repeatedPosts: readonly RepeatedPost[] = [
  {
    route: 'POST /v1/campaigns',
    body: coupons('new', { vouchers_count: 3 }),
    seen: campaigns,
    moving: ['vouchers_count', 'vouchers_generation_status', 'creation_status'],
  },
  {
    route: 'POST /v1/campaigns/{campaignId}/enable',
    at: named({ campaignId: 'switched on' }),
    meanwhile: ({ post }) => post('/v1/campaigns/switched%20on/disable', {}),
    seen: listed('/v1/campaigns/switched%20on'),
  },
  {
    route: 'POST /v1/campaigns/{campaignId}/disable',
    at: named({ campaignId: 'switched off' }),
    meanwhile: ({ post }) => post('/v1/campaigns/switched%20off/enable', {}),
    seen: listed('/v1/campaigns/switched%20off'),
  },
  {
    route: 'POST /v1/campaigns/{campaignId}/vouchers',
    what: 'a random code',
    at: named({ campaignId: 'coupons' }),
    body: {},
    seen: codesOf('coupons'),
  },
  {
    route: 'POST /v1/campaigns/{campaignId}/vouchers',
    what: 'the last code',
    at: named({ campaignId: 'with one code' }),
    body: {},
    seen: codesOf('with one code'),
  },
  {
    route: 'POST /v1/campaigns/{campaignId}/vouchers',
    what: 'a code order',
    at: named({ campaignId: 'ordered' }),
    query: '?vouchers_count=2',
    body: {},
    meanwhile: ({ scrip }) => scrip.ask('DELETE', '/v1/campaigns/ordered?force=true'),
    seen: tasks,
  },
  {
    route: 'POST /v1/campaigns/{campaignId}/vouchers/{code}',
    at: named({ campaignId: 'coupons', code: 'ADDED' }),
    body: {},
    seen: codesOf('coupons'),
  },
  {
    route: 'POST /v1/campaigns/{campaignId}/import',
    at: named({ campaignId: 'coupons' }),
    body: [{ code: 'IMPORTED' }],
    seen: tasks,
  },
  {
    route: 'POST /v1/campaigns/{campaignId}/importCSV',
    at: named({ campaignId: 'coupons' }),
    file: 'Code\nFILED\n',
    seen: tasks,
  },
  { route: 'POST /v1/vouchers', what: 'a random code', body: discount, seen: alone },
  { route: 'POST /v1/vouchers', what: 'a given code', body: { ...discount, code: 'GIVEN' }, seen: alone },
  {
    route: 'POST /v1/vouchers',
    what: 'with a rule',
    body: ({ ids }) => ({ ...discount, validation_rules: [ids.rule] }),
    seen: alone,
  },
  {
    route: 'POST /v1/vouchers',
    what: 'with the last code',
    body: { ...discount, code_config: { pattern: 'ONLY-#', charset: 'A' } },
    seen: alone,
  },
  { route: 'POST /v1/vouchers/{code}', at: named({ code: 'NAMED' }), body: discount, seen: alone },
  {
    route: 'POST /v1/vouchers/{code}/enable',
    at: named({ code: 'SWITCHED-ON' }),
    meanwhile: ({ post }) => post('/v1/vouchers/SWITCHED-ON/disable', {}),
    seen: listed('/v1/vouchers/SWITCHED-ON'),
  },
  {
    route: 'POST /v1/vouchers/{code}/disable',
    at: named({ code: 'SWITCHED-OFF' }),
    meanwhile: ({ post }) => post('/v1/vouchers/SWITCHED-OFF/enable', {}),
    seen: listed('/v1/vouchers/SWITCHED-OFF'),
  },
  {
    route: 'POST /v1/vouchers/{code}/balance',
    at: named({ code: 'GIFT' }),
    body: { amount: 100 },
    seen: listed('/v1/vouchers/GIFT'),
  },
  { route: 'POST /v1/vouchers/import', body: [{ code: 'ALONE', ...discount }], seen: tasks },
  {
    route: 'POST /v1/vouchers/importCSV',
    file: 'Code,Voucher Type,Value,Discount Type\nFILED-ALONE,DISCOUNT_VOUCHER,10,PERCENT\n',
    seen: tasks,
  },
  { route: 'POST /v1/vouchers/bulk/async', body: [{ code: 'GIFT', metadata: { a: 1 } }], seen: tasks },
  { route: 'POST /v1/vouchers/metadata/async', body: { codes: ['GIFT'], metadata: { b: 1 } }, seen: tasks },
  { route: 'POST /v1/categories', body: { name: 'summer', hierarchy: 1 }, seen: listed('/v1/categories') },
  {
    route: 'POST /v1/publications',
    what: 'of a new code',
    body: { campaign: { name: 'published', count: 1 }, customer: { source_id: 'ada' } },
    seen: codesOf('published'),
  },
  {
    route: 'POST /v1/publications',
    what: 'joining once',
    body: { campaign: { name: 'to publish once', count: 1 }, customer: { source_id: 'ada' } },
    seen: codesOf('to publish once'),
  },
  {
    route: 'POST /v1/publications',
    what: 'with a profile',
    body: { campaign: { name: 'published', count: 1 }, customer: { source_id: 'profiled', name: 'A' } },
    meanwhile: ({ put }) => put('/v1/customers/profiled', { name: 'B' }),
    seen: listed('/v1/customers/profiled'),
  },
  {
    route: 'POST /v1/templates/campaigns',
    body: { name: 'new', campaign_id: 'coupons' },
    seen: listed('/v1/templates/campaigns'),
  },
  {
    route: 'POST /v1/templates/campaigns/{campaignTemplateId}/campaign-setup',
    at: ({ ids }) => ({ campaignTemplateId: ids.template }),
    body: { name: 'of a template', vouchers_count: 1 },
    seen: codesOf('of a template'),
  },
  {
    route: 'POST /v1/templates/campaigns/{campaignTemplateId}/tier-setup',
    at: ({ ids }) => ({ campaignTemplateId: ids.template }),
    body: ({ ids }) => ({ name: 'of a template', campaign_id: ids.promotion }),
    seen: listed('/v1/promotions/tiers'),
  },
  {
    route: `POST ${mine}/templates/campaigns/{campaignTemplateId}/copy`,
    at: (world) => ({ ...project(world), campaignTemplateId: world.ids.template }),
    body: (world) => ({ destination_project_id: project(world).projectId, name: 'copied' }),
    seen: listed('/v1/templates/campaigns'),
  },
  {
    route: 'POST /v1/referrals/members/{memberId}/holders',
    at: named({ memberId: 'FRIEND' }),
    body: { holders: [{ source_id: 'friend 1' }] },
    seen: listed('/v1/referrals/members/FRIEND/holders'),
  },
  {
    route: 'POST /v1/referrals/members/{memberId}/holders',
    what: 'with a profile',
    at: named({ memberId: 'FRIEND' }),
    body: { holders: [{ source_id: 'friend 3', name: 'A' }] },
    meanwhile: ({ put }) => put('/v1/customers/friend%203', { name: 'B' }),
    seen: listed('/v1/customers/friend%203'),
  },
  {
    route: 'POST /v1/referrals/{campaignId}/members/{memberId}/holders',
    at: named({ campaignId: 'program', memberId: 'FRIEND' }),
    body: { holders: [{ source_id: 'friend 2' }] },
    seen: listed('/v1/referrals/members/FRIEND/holders'),
  },
  {
    route: 'POST /v1/promotions/{campaignId}/tiers',
    at: ({ ids }) => ({ campaignId: ids.promotion }),
    body: { name: 'second', action: discount },
    seen: listed('/v1/promotions/tiers'),
  },
  {
    route: 'POST /v1/promotions/tiers/{promotionTierId}/enable',
    at: ({ ids }) => ({ promotionTierId: ids.disabled }),
    meanwhile: ({ post, ids }) => post(`/v1/promotions/tiers/${ids.disabled}/disable`, {}),
    seen: ({ get, ids }) => get(`/v1/promotions/tiers/${ids.disabled}`),
  },
  {
    route: 'POST /v1/promotions/tiers/{promotionTierId}/disable',
    at: ({ ids }) => ({ promotionTierId: ids.tier }),
    meanwhile: ({ post, ids }) => post(`/v1/promotions/tiers/${ids.tier}/enable`, {}),
    seen: ({ get, ids }) => get(`/v1/promotions/tiers/${ids.tier}`),
  },
  {
    route: 'POST /v1/promotions/{campaignId}/stacks',
    at: ({ ids }) => ({ campaignId: ids.promotion }),
    body: ({ ids }) => ({ name: 'stack', tiers: { ids: [ids.tier] } }),
    seen: listed('/v1/promotions/stacks'),
  },
  {
    route: 'POST /v1/customers',
    what: 'created by a source id',
    body: { source_id: 'new', name: 'A' },
    meanwhile: ({ put }) => put('/v1/customers/new', { name: 'B' }),
    seen: listed('/v1/customers/new'),
  },
  {
    route: 'POST /v1/customers',
    what: 'changed',
    body: { source_id: 'ada', name: 'A' },
    meanwhile: ({ put }) => put('/v1/customers/ada', { name: 'B' }),
    seen: listed('/v1/customers/ada'),
  },
  {
    route: 'POST /v1/customers',
    what: 'without a name',
    body: { name: 'A' },
    seen: async ({ get }) => (await get('/v1/customers?limit=1')).total,
  },
  {
    route: 'POST /v1/customers/{customerId}/permanent-deletion',
    at: named({ customerId: 'gone' }),
    seen: async ({ get }) => (await get('/v1/customers?limit=1')).total,
  },
  { route: 'POST /v1/customers/bulk/async', body: [{ source_id: 'bulk', name: 'A' }], seen: tasks },
  {
    route: 'POST /v1/customers/metadata/async',
    body: { source_ids: ['ada'], metadata: { a: 1 } },
    seen: tasks,
  },
  { route: 'POST /v1/customers/importCSV', file: 'source_id,name\nfiled,A\n', seen: tasks },
  {
    route: 'POST /v1/segments',
    body: {
      name: 'few',
      type: 'passive',
      filter: { junction: 'and', city: { conditions: { $is: ['London'] } } },
    },
    seen: listed('/v1/segments'),
  },
  {
    route: 'POST /v1/orders',
    what: 'created by a source id',
    body: { source_id: 'new', amount: 100 },
    meanwhile: ({ put }) => put('/v1/orders/new', { amount: 200 }),
    seen: listed('/v1/orders/new'),
  },
  {
    route: 'POST /v1/orders',
    what: 'changed',
    body: { source_id: 'order', amount: 100 },
    meanwhile: ({ put }) => put('/v1/orders/order', { amount: 200 }),
    seen: listed('/v1/orders/order'),
  },
  {
    route: 'POST /v1/orders',
    what: 'without a name',
    body: { amount: 100 },
    seen: async ({ get }) => (await get('/v1/orders?limit=1')).total,
  },
  {
    route: 'POST /v1/orders',
    what: 'of one who is customer and referrer',
    body: {
      source_id: 'both',
      amount: 1,
      customer: { source_id: 'both', name: 'A' },
      referrer: { source_id: 'both', phone: '1' },
    },
    meanwhile: ({ put }) => put('/v1/customers/both', { name: 'B', phone: '2' }),
    seen: listed('/v1/customers/both'),
  },
  { route: 'POST /v1/orders/import', body: [{ source_id: 'imported', amount: 1 }], seen: tasks },
  {
    route: 'POST /v1/products',
    what: 'created by a source id',
    body: { source_id: 'hat', name: 'Hat', price: 100 },
    meanwhile: ({ put }) => put('/v1/products/hat', { price: 200 }),
    seen: listed('/v1/products/hat'),
  },
  {
    route: 'POST /v1/products',
    what: 'changed',
    body: { source_id: 'shirt', price: 100 },
    meanwhile: ({ put }) => put('/v1/products/shirt', { price: 200 }),
    seen: listed('/v1/products/shirt'),
  },
  {
    route: 'POST /v1/products',
    what: 'changed with its attributes',
    body: { source_id: 'shirt', price: 100, attributes: ['color', 'size'] },
    meanwhile: ({ put }) => put('/v1/products/shirt', { price: 200, attributes: ['color'] }),
    seen: listed('/v1/products/shirt'),
  },
  {
    route: 'POST /v1/products',
    what: 'without a source id',
    body: { name: 'Coat' },
    seen: listed('/v1/products'),
  },
  {
    route: 'POST /v1/products/{productId}/skus',
    what: 'created by a source id',
    at: named({ productId: 'shirt' }),
    body: { source_id: 'red', sku: 'Red', price: 100 },
    meanwhile: ({ put }) => put('/v1/products/shirt/skus/red', { price: 200 }),
    seen: listed('/v1/skus/red'),
  },
  {
    route: 'POST /v1/products/{productId}/skus',
    what: 'changed',
    at: named({ productId: 'shirt' }),
    body: { source_id: 'blue', price: 100 },
    meanwhile: ({ put }) => put('/v1/products/shirt/skus/blue', { price: 200 }),
    seen: listed('/v1/skus/blue'),
  },
  {
    route: 'POST /v1/products/{productId}/skus',
    what: 'without a source id',
    at: named({ productId: 'shirt' }),
    body: { sku: 'Green' },
    seen: listed('/v1/products/shirt/skus'),
  },
  { route: 'POST /v1/products/bulk/async', body: [{ source_id: 'shirt', price: 1 }], seen: tasks },
  {
    route: 'POST /v1/products/metadata/async',
    body: { source_ids: ['shirt'], metadata: { a: 1 } },
    seen: tasks,
  },
  { route: 'POST /v1/products/importCSV', file: 'source_id,name\nfiled,Filed\n', seen: tasks },
  { route: 'POST /v1/skus/importCSV', file: 'product_id,source_id,sku\nshirt,filed,Filed\n', seen: tasks },
  {
    route: 'POST /v1/product-collections',
    body: {
      name: 'few',
      type: 'AUTO_UPDATE',
      filter: { junction: 'and', price: { conditions: { $less_than_equal: [1] } } },
    },
    seen: listed('/v1/product-collections'),
  },
  { route: 'POST /v1/exports', body: { exported_object: 'customer' }, ...exported },
  { route: 'POST /v1/orders/export', body: {}, ...exported },
  {
    route: 'POST /v1/vouchers/{code}/transactions/export',
    at: named({ code: 'GIFT' }),
    body: {},
    ...exported,
  },
  {
    route: 'POST /v1/campaigns/{campaignId}/transactions/export',
    at: named({ campaignId: 'gifts' }),
    body: {},
    ...exported,
  },
  {
    route: 'POST /v1/validation-rules',
    body: {
      name: 'all',
      type: 'expression',
      rules: { 1: { name: 'order.amount', conditions: { $more_than: [2] } }, logic: '1' },
    },
    seen: listed('/v1/validation-rules'),
  },
  {
    route: 'POST /v1/validation-rules/{validationRuleId}/assignments',
    at: ({ ids }) => ({ validationRuleId: ids.rule }),
    body: { related_object_type: 'voucher', related_object_id: 'GIFT' },
    seen: ({ get, ids }) => get(`/v1/validation-rules/${ids.rule}/assignments`),
  },
  {
    route: 'POST /v1/metadata-schemas',
    body: { related_object: 'publication', properties: { a: { type: 'string' } } },
    seen: listed('/v1/metadata-schemas'),
  },
  {
    route: `POST ${mine}/metadata-schemas`,
    at: project,
    body: { related_object: 'campaign', properties: { a: { type: 'string' } } },
    seen: managed('metadata-schemas'),
  },
  {
    route: `POST ${mine}/custom-event-schemas`,
    at: project,
    body: { name: 'read', schema: { properties: { issue: { type: 'number', optional: false } } } },
    seen: managed('custom-event-schemas'),
  },
  {
    route: `POST ${mine}/locations`,
    at: project,
    body: {
      name: 'Centre',
      shape: {
        type: 'circle',
        format: 'distance',
        distance: { center: 'geo:52.2,21.0', radius: '1 km' },
      },
    },
    seen: listed('/v1/locations'),
  },
  {
    route: `POST ${mine}/branding`,
    at: project,
    body: {
      brand: { name: 'Shop', website_url: 'https://shop.example.com' },
      address: { street: 'Main Street 1', city: 'Katowice', postal: '40-000', country: 'Poland' },
      contact: { email: 'service@shop.example.com' },
    },
    seen: managed('branding'),
  },
  {
    route: `POST ${mine}/stacking-rules`,
    at: project,
    body: { redeemables_application_mode: 'PARTIAL' },
    seen: managed('stacking-rules'),
  },
  {
    route: `POST ${mine}/users`,
    at: project,
    body: ({ ids }) => ({ id: ids.user, role: 'USER' }),
    seen: managed('users'),
  },
  {
    route: `POST ${mine}/webhooks`,
    at: project,
    body: { target_url: 'https://shop.example.com/hooks', events: ['redemption.succeeded'] },
    seen: managed('webhooks'),
  },
];

/** Routes that take keys and are repeated elsewhere, or change nothing. */
export const notRepeated: Readonly<Record<string, string>> = {
  'POST /client/v1/publish': 'the handlers of POST /v1/publications',
  'POST /client/v1/customers': 'the handlers of POST /v1/customers',
  [`POST ${mine}/webhook-sendouts/{sendoutId}/retry`]:
    'sends a delivery again under its id, which its receiver knows',
};
