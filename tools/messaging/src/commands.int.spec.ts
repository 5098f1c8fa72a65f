import { Bootstrap } from '@scrip/auth';
import { embeddedEdge } from '@scrip/edge';
import { Secret } from '@scrip/kernel';
import {
  type OpenConsumers,
  type RunningApp,
  ScripLogger,
  bootScrip,
  openConsumers,
  readSettings,
} from '@scrip/service';
import { createDatabase, patientAnswers, waitUntil } from '@scrip/testing';
import type { DataSource } from 'typeorm';
import { runCommand } from './commands';
import { allContexts } from '@scrip/contexts';

const keys = { 'x-app-id': 'shop-server', 'x-app-token': 'server-secret' };
const managementKeys = { 'x-management-id': 'operator', 'x-management-token': 'operator-secret' };

let running: RunningApp;
let beside: OpenConsumers;

const createCampaign = (name: string): Promise<Response> =>
  fetch(`${running.url}/v1/campaigns`, {
    method: 'POST',
    headers: { ...keys, 'content-type': 'application/json' },
    body: JSON.stringify({
      name,
      campaign_type: 'DISCOUNT_COUPONS',
      vouchers_count: 3,
      voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } },
    }),
  });

beforeAll(async () => {
  const boot = {
    contexts: allContexts,
    config: {
      ...readSettings({ SCRIP_PORT: '0', ...patientAnswers }),
      masterKey: new Secret(Buffer.alloc(32, 7).toString('base64')),
      databaseUrl: new Secret(await createDatabase('messaging_commands')),
    },
    edge: embeddedEdge,
    logger: new ScripLogger({ level: 'silent' }),
  };
  running = await bootScrip(boot);
  await running.app.get(Bootstrap, { strict: false }).run({
    projectId: 'proj_demo',
    appId: 'shop-server',
    appToken: new Secret('server-secret'),
    managementId: managementKeys['x-management-id'],
    managementToken: new Secret(managementKeys['x-management-token']),
  });
  // Public events are kept where an endpoint listens; none answers here.
  await fetch(`${running.url}/management/v1/projects/proj_demo/webhooks`, {
    method: 'POST',
    headers: { ...managementKeys, 'content-type': 'application/json' },
    body: JSON.stringify({ target_url: 'http://127.0.0.1:9/', events: ['*'] }),
  });
  await createCampaign('Generated');
  beside = await openConsumers(boot);
});
afterAll(async () => {
  await beside.close();
  await running.close();
});

const rows = <Row>(context: string, sql: string, values: unknown[] = []): Promise<Row[]> =>
  running.app.get<DataSource>(`${context}DataSource`, { strict: false }).query(sql, values);
const run = (...line: string[]) => runCommand(beside, line, {});

const topic = 'scrip.campaigns.campaign.v1';

/** Parks the campaign's first event as if its handler had failed, and takes back what it told. All that happens to the campaign was
 *  told before: what came later would be parked behind it. */
const park = async (): Promise<string> => {
  await waitUntil(
    async () => {
      const told = await rows<{ kind: string }>('webhooks', 'SELECT kind FROM public_events');
      return ['campaign.created', 'campaign.vouchers.generation.completed'].every((kind) =>
        told.some((one) => one.kind === kind),
      );
    },
    { what: 'the campaign to be told, with the end of its generation' },
  );
  const [event] = await (running.eventStores.get('campaigns')?.readLog({
    after: null,
    limit: 1,
    aggregates: ['campaign'],
  }) ?? []);
  await rows('webhooks', `DELETE FROM public_events WHERE kind = 'campaign.created'`);
  const key = `${event?.projectId}|${event?.streamId}`;
  await rows(
    'webhooks',
    `INSERT INTO parked_keys (consumer_group, topic, partition, key, state, attempts, error, next_attempt_at)
     VALUES ('webhooks.fan-out', $1, 0, $2, 'PARKED', 4, 'Error: no', now() + interval '1 hour')`,
    [topic, key],
  );
  await rows(
    'webhooks',
    `INSERT INTO parked_events (consumer_group, topic, partition, key, position, decoded, event)
     VALUES ('webhooks.fan-out', $1, 0, $2, $3, true, $4)`,
    [topic, key, event?.position, JSON.stringify(event)],
  );
  return key;
};

describe('commands over consumers, beside a process that consumes', () => {
  it('replays what was set aside, once', async () => {
    const key = await park();
    expect((await run('status')).lines.join('\n')).toMatch(
      new RegExp(`webhooks.fan-out  ${topic}  partition 0  at \\S+  .*lag.*  1 keys parked with 1 events`),
    );
    expect(await run('replay', 'webhooks.fan-out')).toEqual({
      lines: [`${topic}  partition 0  ${key}: 1 applied`],
      isDone: true,
    });
    expect(await run('replay', 'webhooks.fan-out')).toEqual({ lines: ['nothing is parked'], isDone: true });
    const told = await rows('webhooks', `SELECT 1 FROM public_events WHERE kind = 'campaign.created'`);
    expect(told).toHaveLength(1);
  });

  it('tells how far a reader is behind the log that it reads', async () => {
    const lines = async (): Promise<string> =>
      (await run('status')).lines.filter((line) => line.startsWith('operations.async-actions')).join('\n');
    await waitUntil(async () => !/lag (?:\d|unknown)/.test(await lines()), {
      what: 'the readers to be at the head',
    });
    const holder = running.app.get<DataSource>('operationsDataSource', { strict: false }).createQueryRunner();
    await holder.startTransaction();
    // The transaction does nothing for as long as a busy machine takes to show the lag.
    await holder.query(
      'SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL transaction_timeout = 0',
    );
    // A row's lock would take a transaction id, behind which no consumer reads the log.
    await holder.query('LOCK TABLE consumer_positions IN EXCLUSIVE MODE');
    await createCampaign('Not listed yet');
    await waitUntil(async () => /partition 0  at \S+  lag \d+ events, \d+ s/.test(await lines()), {
      what: 'the lag of a reader that is held up',
    });
    await holder.rollbackTransaction();
    await holder.release();
    await waitUntil(async () => !/lag (?:\d|unknown)/.test(await lines()), { what: 'the lag to be gone' });
  });

  it('rebuilds what a group fills', async () => {
    const actions = () =>
      rows<{ id: string; async_action: object }>('operations', 'SELECT * FROM async_actions ORDER BY id');
    await waitUntil(
      async () =>
        (await actions()).length === 2 &&
        (await actions()).every((one) => JSON.stringify(one).includes('"DONE"')),
      {
        what: 'the generation',
      },
    );
    const before = await actions();
    expect(before).toHaveLength(2);
    await rows('operations', `UPDATE async_actions SET async_action = '{}'`);
    const { lines, isDone } = await run('rebuild', 'operations.async-actions');
    expect({ line: lines.join().replace(/\d+/, 'n'), isDone }).toEqual({
      line: 'operations.async-actions is rebuilt from n events of scrip.campaigns.task.v1, scrip.customers.task.v1, scrip.catalog.task.v1',
      isDone: true,
    });
    expect(await actions()).toEqual(before);
  });

  it('begins a new epoch of every log, after which new events are still told', async () => {
    const { lines, isDone } = await run('raise-epoch');
    expect({ lines: lines.length, isDone }).toEqual({ lines: allContexts.length, isDone: true });
    expect(lines[0]).toMatch(/^auth: epoch \d+$/);
    await createCampaign('After the restore');
    await waitUntil(
      async () =>
        (await rows('webhooks', `SELECT 1 FROM public_events WHERE data LIKE '%After the restore%'`)).length >
        0,
      { what: 'the new campaign to be told' },
    );
  });

  it('sets no relay back where there is none, and takes no odd instant', async () => {
    expect(await runCommand(beside, ['relay-rewind', 'campaigns'], { since: 'beginning' })).toEqual({
      lines: ['campaigns has no relay here: it never published'],
      isDone: false,
    });
    await expect(runCommand(beside, ['relay-rewind', 'campaigns'], { since: 'yesterday' })).rejects.toThrow(
      'not an instant: yesterday',
    );
    await expect(runCommand(beside, ['relay-rewind', 'gateway'], { since: 'beginning' })).rejects.toThrow(
      'there is no service gateway',
    );
  });

  it('says why it does not', async () => {
    expect(await run('rebuild', 'webhooks.fan-out')).toEqual({
      lines: ['webhooks.fan-out is not rebuilt: its effects cannot be taken back'],
      isDone: false,
    });
    expect(await run('replay', 'webhooks.nobody')).toEqual({
      lines: ['no consumer group webhooks.nobody'],
      isDone: false,
    });
    await expect(run('reset', 'webhooks.fan-out')).rejects.toThrow('npm run messaging -- replay <group>');
  });
});
