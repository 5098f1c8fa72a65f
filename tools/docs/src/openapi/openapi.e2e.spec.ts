import { publicRoutes } from '@scrip/contracts/registry';
import { type ScripProject, sharedScrip } from '@scrip/testing';
import { readFileSync } from 'node:fs';
import { badRequests } from './calls/bad-requests.fixture';
import { askCampaigns } from './calls/campaigns.fixture';
import { askGiftCards } from './calls/gift-cards.fixture';
import { askCollections } from './calls/collections.fixture';
import { askCustomers } from './calls/customers.fixture';
import { type DocumentedCaller, type Json, documentedCaller } from './calls/documented-caller.fixture';
import { askExports } from './calls/exports.fixture';
import { askMetadataSchemas } from './calls/metadata-schemas.fixture';
import { askOrders } from './calls/orders.fixture';
import { askProducts } from './calls/products.fixture';
import { askProjects } from './calls/projects.fixture';
import { askPromotions } from './calls/promotions.fixture';
import { askRedemptions } from './calls/redemptions.fixture';
import { askSegments } from './calls/segments.fixture';
import { askSessions } from './calls/sessions.fixture';
import { askSingleCalls } from './calls/single-calls.fixture';
import { askTokens } from './calls/tokens.fixture';
import { askValidationRules } from './calls/validation-rules.fixture';
import { askWebhooks } from './calls/webhooks.fixture';
import { answerComplaints, requestComplaints } from './documented-calls.fixture';
import { openApiFile, sdkFile } from './openapi-file';

/** Operations that answer something else than JSON, are looked at elsewhere here, or need a trusted domain or a key of an integration. */
const notAnsweredWithJson = [
  'GET /v1/publications/create',
  'POST /client/v1/publish',
  'GET /client/v1/vouchers',
  'PUT /client/v1/vouchers/{code}',
  'GET /v1/assets/qr/{id}',
  'GET /v1/assets/barcode/{id}',
  'POST /client/v1/customers',
  'GET /client/v1/consents',
  'PUT /client/v1/customers/{customerId}/consents',
  'POST /client/v1/validations',
  'GET /client/v1/validate',
  'POST /client/v1/redeem',
  'POST /client/v1/qualifications',
  'POST /client/v1/redemptions',
  'GET /v1/task-results/{id}',
  'GET /client/v1/promotions/tiers',
  'GET /openapi.json',
  'GET /openapi.sdk.json',
  'GET /docs',
  'GET /docs/{asset}',
];

/** What is asked of a project, in this order. */
const asking: readonly ((caller: DocumentedCaller) => Promise<void>)[] = [
  askTokens,
  askMetadataSchemas,
  (caller) =>
    askWebhooks(caller, async () => {
      await askCampaigns(caller);
      await askGiftCards(caller);
      await askRedemptions(caller);
    }),
  askSingleCalls,
  askOrders,
  askCustomers,
  askProducts,
  askPromotions,
  askCollections,
  askExports,
  askProjects,
  askSegments,
  askValidationRules,
  askSessions,
];

describe('the document of a running Scrip', () => {
  let scrip: ScripProject;
  let caller: DocumentedCaller;

  beforeAll(async () => {
    scrip = await sharedScrip();
    caller = documentedCaller(scrip);
  }, 240_000);

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

  it('describes the requests and answers of every operation', async () => {
    const { asked, send } = caller;
    for (const ask of asking) await ask(caller);
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
  });

  it('misses no property of an answer that is not documented, or missing', () => {
    const good = caller.asked.find(({ path, status }) => path === '/v1/redemptions' && status === 200)!;
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
    expect((await caller.send(method, path, { body })).status).toBe(400);
  });
});
