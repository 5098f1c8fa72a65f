import { publicRoutes } from '@scrip/contracts/registry';
import { type ScripProject, sharedScrip, waitUntil } from '@scrip/testing';
import { readFileSync } from 'node:fs';
import { bodyAs } from './calls/body-as.fixture';
import { answerComplaints, requestComplaints } from './documented-calls.fixture';
import { openApiFile } from './openapi-file';

interface Operation {
  operationId: string;
  parameters?: { name?: string; in?: string; example?: string }[];
  requestBody?: { content: Record<string, { example?: Record<string, string> }> };
  responses: Record<
    string,
    { links?: Record<string, { operationId: string; parameters: Record<string, string> }> }
  >;
}

const document = JSON.parse(readFileSync(openApiFile, 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};

/** What an example cannot reach by itself: a key of an integration, codes that are published to a referrer, a session, as the
 *  examples validate without one, a tier that is open on every day, and a code without the rule that another example gives it. The
 *  specs of publications, of referrals, of sessions, of tiers and of single vouchers try them. */
const triedElsewhere: readonly string[] = [
  'publishByQuery',
  'redeemPromotionTier',
  'redeemVoucher',
  'releaseValidationSession',
  ...['assignReferees', 'listHolders', 'removeReferee'],
  ...['assignRefereesInCampaign', 'listHoldersInCampaign', 'removeRefereeInCampaign'],
];

/** Routes with credentials of servers and managers; browsers' twins have the same bodies, and what users send in sessions is
 *  tried where sessions are. */
const operations = publicRoutes
  .filter(({ area, owner }) => owner !== null && area !== 'client' && area !== 'dashboard')
  .map((row) => ({ ...row, operation: document.paths[row.path]![row.method.toLowerCase()]! }))
  .filter(({ operation }) => !triedElsewhere.includes(operation.operationId))
  .sort((left, right) => Number(left.method === 'DELETE') - Number(right.method === 'DELETE'));

type Described = (typeof operations)[number];

/** Answers that are right for a token that was made up, or is not sent. */
const isFine = (id: string, status: number): boolean =>
  status < 300 ||
  (id === 'revokeAccessToken' && status === 404) ||
  (id === 'downloadTaskResult' && status === 401);

/** What must be done anew before: a redemption is rolled back once, a customer deleted once. */
const freshly: Readonly<Record<string, string>> = {
  rollBackStack: 'redeem',
  // The example before it switches the campaign off.
  redeem: 'enableCampaign',
  eraseCustomer: 'upsertCustomer',
  deleteCustomer: 'upsertCustomer',
};

/** Calls for the project that an example made; all others are for the one of the suite. */
const ofNewProject: readonly string[] = [
  ...['getProject', 'updateProject', 'deleteProject'],
  ...['addProjectUser', 'getProjectUser', 'updateProjectUser', 'removeProjectUser'],
];

const giftCard = {
  name: 'Gift card',
  campaign_type: 'GIFT_VOUCHERS',
  type: 'STANDALONE',
  voucher: { type: 'GIFT_VOUCHER', code: 'GIFT-1', gift: { amount: 10_000 } },
};

const promotion = {
  name: 'Weekdays',
  campaign_type: 'PROMOTION',
  promotion: { tiers: [{ name: 'First' }, { name: 'Second' }] },
};

/** The project that examples name in bodies. */
const projectOfExamples = 'proj_0190000000007000800000000000abcd';

/** The tiers of a promotion campaign that examples name in bodies. */
const tiersOfExamples = ['promo_0190000000007000800000000000abcd', 'promo_0190000000007000800000000000abce'];

const valueAt = (answer: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], answer);

describe('examples and links of the API description', () => {
  let scrip: ScripProject;
  /** Values of path parameters, as `operation parameter`. */
  const known = new Map<string, string>();
  /** Ids of this run by those that examples name. */
  const idsOfExamples = new Map<string, string>();

  beforeAll(async () => {
    scrip = await sharedScrip();
    idsOfExamples.set(projectOfExamples, scrip.credentials.project_id);
    // The card that the example of a balance call names, and the campaign that those of tiers and stacks name.
    expect((await scrip.call('POST', '/v1/campaigns', giftCard)).status).toBe(200);
    const { status, body } = await scrip.call('POST', '/v1/campaigns', promotion);
    expect(status).toBe(200);
    const { tiers } = (body as { promotion: { tiers: { id: string }[] } }).promotion;
    for (const [index, { id }] of tiers.entries()) idsOfExamples.set(tiersOfExamples[index]!, id);
  }, 240_000);

  const valueOf = ({ operation }: Described, name: string): string | undefined =>
    name === 'projectId' && !ofNewProject.includes(operation.operationId)
      ? scrip.credentials.project_id
      : (operation.parameters?.find((one) => one.in === 'path' && one.name === name)?.example ??
        known.get(`${operation.operationId} ${name}`));

  const namesOf = ({ path }: Described): string[] =>
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

  const learn = ({ operation }: Described, status: number, answer: unknown): void => {
    for (const { operationId, parameters } of Object.values(operation.responses[status]?.links ?? {}))
      for (const [name, expression] of Object.entries(parameters)) {
        const value = valueAt(answer, expression.replace('$response.body#', ''));
        if (typeof value === 'string') known.set(`${operationId} ${name}`, value);
      }
  };

  const execute = async (described: Described): Promise<number> => {
    const { method, path, area, produces, operation } = described;
    const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
    const { management_id, management_token } = scrip.credentials;
    const keys =
      area === 'management'
        ? { 'x-management-id': management_id, 'x-management-token': management_token }
        : scrip.serverKeys;
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(valueOf(described, name)!),
    );
    const body =
      content?.example &&
      (JSON.parse(
        [...idsOfExamples].reduce(
          (text, [named, id]) => text.replaceAll(named, id),
          JSON.stringify(content.example),
        ),
      ) as Record<string, string>);
    const sent: Partial<ReturnType<typeof bodyAs>> = type && body ? bodyAs(type, body) : {};
    const headers = { ...keys, prefer: 'handling=strict', ...sent.headers };
    const response = await fetch(scrip.origin + filled, { method, ...sent, headers });
    const text = await response.text();
    const { status } = response;
    if (produces.length === 0) return status;
    const answer: unknown = text === '' ? null : JSON.parse(text);
    const call = { method: method as 'POST', path, status, body, answer };
    expect([...requestComplaints(call), ...answerComplaints(call)]).toEqual([]);
    learn(described, status, answer);
    return status;
  };

  it('has an example of each body', () => {
    const without = operations.filter(
      ({ operation: { requestBody } }) =>
        requestBody && Object.values(requestBody.content).some(({ example }) => example === undefined),
    );
    expect(without.map(({ operation }) => operation.operationId)).toEqual([]);
  });

  it('works with what the examples send, following the links from one answer to the next call', async () => {
    const open = new Map(operations.map((one) => [one.operation.operationId, one]));
    const refused = new Map<string, number>();
    const isMoreToCome = (): boolean => [...open.values()].some(({ method }) => method !== 'DELETE');
    const round = async (): Promise<void> => {
      for (const [id, described] of open) {
        // Lists fill in the background: their links are followed once there are entries.
        if (namesOf(described).some((name) => valueOf(described, name) === undefined)) continue;
        if (described.method === 'DELETE' && isMoreToCome()) continue;
        const first = operations.find(({ operation }) => operation.operationId === freshly[id]);
        if (first) await execute(first);
        const status = await execute(described);
        refused.set(id, status);
        if (isFine(id, status)) open.delete(id);
      }
      // Deliveries tell of what happens once there is a webhook.
      const again = operations.filter(
        ({ operation: { operationId } }) =>
          operationId.startsWith('list') || (operationId === 'redeem' && open.has('getSendout')),
      );
      for (const described of again) await execute(described);
    };
    await waitUntil(
      async () => {
        await round();
        return open.size === 0;
      },
      { what: 'every operation to work', timeoutMs: 200_000 },
    ).catch(() => undefined);
    expect([...open.keys()].map((id) => `${id}: ${refused.get(id) ?? 'not reached'}`)).toEqual([]);
  });
});
