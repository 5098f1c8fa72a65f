import { Bootstrap } from '@scrip/auth';
import { allContexts } from '@scrip/contexts';
import { embeddedEdge } from '@scrip/edge';
import { Secret } from '@scrip/kernel';
import { ScripLogger, bootScrip, readSettings } from '@scrip/service';
import { createDatabase, patientAnswers, waitUntil, webhookSink } from '@scrip/testing';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { type Databases, databasesOf } from './databases';
import { type CheckResult, differencesIn, reconcile } from './reconcile';

/** A database as a Scrip left it that redeemed, refused, rolled back and delivered. */
export interface LeftBehind {
  databases: Databases;
  /** A copy of it in which something was changed by hand. */
  copyWith(sql: string): Promise<Databases>;
}

const bootstrap = {
  projectId: 'proj_demo',
  appId: 'shop-server',
  appToken: new Secret('server-secret'),
  managementId: 'shop-management',
  managementToken: new Secret('management-secret'),
};

const keys = {
  'x-app-id': 'shop-server',
  'x-app-token': 'server-secret',
  'x-management-id': 'shop-management',
  'x-management-token': 'management-secret',
};

type Post = <Answer = { id: string }>(path: string, body: unknown) => Promise<Answer>;

const poster =
  (origin: string): Post =>
  async <Answer>(path: string, body: unknown) => {
    const response = await fetch(origin + path, {
      method: 'POST',
      headers: { ...keys, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Answer;
  };

const work = async (post: Post, target: string): Promise<void> => {
  await post('/management/v1/projects/proj_demo/webhooks', { target_url: target, events: ['*'] });
  const campaign = await post('/v1/campaigns', {
    name: 'Reconciled',
    campaign_type: 'DISCOUNT_COUPONS',
    voucher: {
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'AMOUNT', amount_off: 100 },
      redemption: { quantity: 2 },
    },
  });
  for (const code of ['ONE', 'TWO', 'THREE']) await post(`/v1/campaigns/${campaign.id}/vouchers/${code}`, {});
  const redeem = (...codes: string[]) =>
    post<{ redemptions: { id: string }[]; parent_redemption?: { id: string } }>('/v1/redemptions', {
      redeemables: codes.map((id) => ({ object: 'voucher', id })),
      order: { amount: 10_000 },
    });
  await redeem('ONE');
  await redeem('ONE');
  await redeem('ONE'); // Refused: a failed redemption.
  await redeem('TWO', 'THREE');
  const undone = await redeem('TWO');
  await post('/v1/validations', {
    redeemables: [{ object: 'voucher', id: 'THREE' }],
    order: { amount: 10_000 },
    session: { type: 'LOCK', key: 'cart-1' },
  });
  await post(`/v1/redemptions/${undone.redemptions[0]!.id}/rollback`, {});
};

const run = async (url: string, sql: string): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};

const copyOf = async (url: string, sql: string): Promise<Databases> => {
  const from = new URL(url).pathname.slice(1);
  const to = `${from}_${randomBytes(4).toString('hex')}`;
  await run(new URL('/postgres', url).href, `CREATE DATABASE ${to} TEMPLATE ${from}`);
  const copy = new URL(`/${to}`, url).href;
  await run(copy, sql);
  return databasesOf([], () => copy);
};

/** Boots a Scrip on a new database, has it work, waits until everything is told, and ends it. */
export const leaveBehind = async (): Promise<LeftBehind> => {
  const url = await createDatabase('reconcile');
  const sink = await webhookSink();
  const running = await bootScrip({
    contexts: allContexts,
    config: {
      ...readSettings({ SCRIP_PORT: '0', ...patientAnswers }),
      masterKey: new Secret(Buffer.alloc(32, 7).toString('base64')),
      databaseUrl: new Secret(url),
    },
    edge: embeddedEdge,
    logger: new ScripLogger({ level: 'silent' }),
  });
  const databases = databasesOf([], () => url);
  try {
    await running.app.get(Bootstrap, { strict: false }).run(bootstrap);
    await work(poster(running.url), sink.url);
    await waitUntil(async () => differencesIn(await reconcile(databases, 0)) === 0, {
      what: 'everything to be settled and told',
    });
  } finally {
    await running.close();
    await sink.close();
  }
  return { databases, copyWith: (sql) => copyOf(url, sql) };
};

/** The checks that found something, with the first problem of each. */
export const foundBy = (results: readonly CheckResult[]): Record<string, string> =>
  Object.fromEntries(
    results.flatMap(({ name, examples: [first] }) => (first ? [[name, first.problem as string]] : [])),
  );
