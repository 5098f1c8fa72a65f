import { resolve } from 'node:path';
import { type RunningChild, startTypescript, waitUntil } from '@scrip/testing';
import { Client } from 'pg';
import { campaignsDatabase, coupons, project } from '../campaigns.fixture';

const program = resolve(__dirname, '../campaigns-program.fixture.ts');
const names = Array.from({ length: 60 }, (_, index) => `made ${index}`);

describe('campaigns that a killed process makes from a template', () => {
  let database: Client;
  let child: RunningChild | undefined;

  afterAll(async () => {
    await child?.kill();
    await database?.end();
  });

  const call = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${child!.origin}${path}`, {
      method: 'POST',
      headers: {
        'x-app-id': 'app',
        'x-app-token': project.id,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, string> };
  };
  /** How many codes each campaign has that is there. */
  const codes = async (): Promise<number[]> => {
    const { rows } = await database.query<{ codes: string }>(
      `SELECT count(v.id) AS codes FROM campaigns.campaigns c
       LEFT JOIN campaigns.vouchers v ON v.project_id = c.project_id AND v.campaign_id = c.id
       WHERE c.name LIKE 'made %' GROUP BY c.id`,
    );
    return rows.map((row) => Number(row.codes));
  };

  it('are there with their code or not at all, and once when the calls are repeated', async () => {
    const url = await campaignsDatabase();
    child = await startTypescript(program, { DATABASE_URL: url });
    database = new Client({ connectionString: url });
    await database.connect();
    await call('/v1/campaigns', coupons('source'));
    const { body: template } = await call('/v1/templates/campaigns', { name: 'All', campaign_id: 'source' });
    const setUp = (name: string) =>
      call(
        `/v1/templates/campaigns/${template.id}/campaign-setup`,
        { name, vouchers_count: 1 },
        { 'idempotency-key': name },
      );

    const broken = Promise.allSettled(names.map(setUp));
    await waitUntil(async () => (await codes()).length > 0, {
      what: 'the first campaign',
      timeoutMs: 60_000,
      intervalMs: 1,
    });
    await child.kill();
    await broken;
    const before = await codes();
    expect(before).toEqual(before.map(() => 1));

    child = await startTypescript(program, { DATABASE_URL: url });
    await database.query('UPDATE campaigns.idempotency_keys SET lease_until = now()');
    const open = new Set(names);
    await waitUntil(
      async () => {
        for (const name of open) if ((await setUp(name)).status === 200) open.delete(name);
        return open.size === 0;
      },
      { what: 'an answer to each repeated call', timeoutMs: 90_000, intervalMs: 500 },
    );
    expect(await codes()).toEqual(names.map(() => 1));
  }, 300_000);
});
