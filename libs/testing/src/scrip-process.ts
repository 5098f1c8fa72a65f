import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningChild, startChild } from './child-process';
import { waitUntil } from './wait-until';

/** A running Scrip in the embedded shape, with a project of its own. */
export interface Scrip extends RunningChild {
  readonly dataDir: string;
  /** Calls as the project's server key. Throws on a status above 299. */
  ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer>;
  /** The same as the project's management key. */
  manage<Answer>(method: string, path: string, body?: unknown): Promise<Answer>;
  /** What the project's server key sends with each call. */
  readonly serverKeys: Record<string, string>;
}

const keys = {
  SCRIP_BOOTSTRAP_PROJECT_ID: 'proj_tests',
  SCRIP_BOOTSTRAP_APP_ID: 'tests-app',
  SCRIP_BOOTSTRAP_APP_TOKEN: 'tests-token-0123456789abcdef',
  SCRIP_BOOTSTRAP_MANAGEMENT_ID: 'tests-management',
  SCRIP_BOOTSTRAP_MANAGEMENT_TOKEN: 'tests-management-token-0123456789',
};

const serverKeys = { 'x-app-id': keys.SCRIP_BOOTSTRAP_APP_ID, 'x-app-token': keys.SCRIP_BOOTSTRAP_APP_TOKEN };
const managementKeys = {
  'x-management-id': keys.SCRIP_BOOTSTRAP_MANAGEMENT_ID,
  'x-management-token': keys.SCRIP_BOOTSTRAP_MANAGEMENT_TOKEN,
};

/** The project that a started Scrip has. */
export const projectId = keys.SCRIP_BOOTSTRAP_PROJECT_ID;

const asker =
  (origin: string, headers: Record<string, string>) =>
  async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = await fetch(origin + path, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return (text === '' ? null : JSON.parse(text)) as Answer;
  };

/** Starts the built embedded app on a free port; `databaseUrl` absent = with its own PostgreSQL, `dataDir` absent = a new
 *  folder. `environment` comes on top. */
export const startScrip = async ({
  databaseUrl,
  dataDir = mkdtempSync(join(tmpdir(), 'scrip-data-')),
  environment = {},
}: { databaseUrl?: string; dataDir?: string; environment?: Record<string, string> } = {}): Promise<Scrip> => {
  const child = await startChild(
    join(__dirname, '../../../apps/scrip/dist/main.js'),
    {
      ...keys,
      NODE_ENV: 'production',
      SCRIP_PORT: '0',
      SCRIP_DATA_DIR: dataDir,
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
      ...environment,
    },
    /(http:\/\/127\.0\.0\.1:\d+)/,
  );
  return {
    ...child,
    dataDir,
    ask: asker(child.origin, serverKeys),
    manage: asker(child.origin, managementKeys),
    serverKeys,
  };
};

/** Ends a Scrip and removes its data. */
export const discard = async (scrip: Scrip): Promise<void> => {
  await scrip.stop();
  rmSync(scrip.dataDir, { recursive: true, force: true });
};

/** Creates a discount campaign of `count` unlimited codes and waits until they exist. */
export const campaignOf = async (scrip: Scrip, name: string, count: number): Promise<{ id: string }> => {
  const campaign = await scrip.ask<{ id: string }>('POST', '/v1/campaigns', {
    name,
    campaign_type: 'DISCOUNT_COUPONS',
    vouchers_count: count,
    voucher: {
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' },
    },
  });
  await generationEnds(scrip, campaign.id, count);
  return campaign;
};

/** Waits until the campaign shows its generation DONE with `count` codes. */
export const generationEnds = async (scrip: Scrip, campaignId: string, count: number): Promise<void> => {
  await waitUntil(
    async () => {
      const shown = await scrip.ask<{ vouchers_generation_status: string; vouchers_count: number }>(
        'GET',
        `/v1/campaigns/${campaignId}`,
      );
      return shown.vouchers_generation_status === 'DONE' && shown.vouchers_count === count;
    },
    { timeoutMs: 120_000, what: `${count} codes` },
  );
};
