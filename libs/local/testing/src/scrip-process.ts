import { type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningChild } from './child-process';
import { createDatabase } from './databases';
import { patientAnswers } from './patient-answers';
import { kafkaBrokers } from './kafka/kafka-brokers';
import { type ScripOptions, type ScripProgram, type Shape, spawnScrip, testedShape } from './scrip-program';
import { waitUntil } from './wait-until';

/** What `credentials.json` tells of the project. */
export interface ScripCredentials {
  base_url: string;
  project_id: string;
  app_id: string;
  app_token: string;
  client_app_id: string;
  client_token: string;
  management_id: string;
  management_token: string;
  webhook_token: string;
}

/** A project of a running Scrip. */
export interface ScripProject {
  /** Of the public API. */
  readonly origin: string;
  readonly credentials: ScripCredentials;
  /** What the project's server key sends with each call. */
  readonly serverKeys: Record<string, string>;
  /** Calls as the project's server key. Throws on a status above 299. */
  ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer>;
  /** The same as the project's management key. */
  manage<Answer>(method: string, path: string, body?: unknown): Promise<Answer>;
  /** As `manage`, whatever the status. */
  callAsManager(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ScripAnswer>;
  /** As `ask`, whatever the status. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ScripAnswer>;
  /** Sends a form with a file as the project's server key, its `fields` before it; whatever the status. */
  upload(
    path: string,
    file: string | Uint8Array<ArrayBuffer>,
    fields?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ScripAnswer>;
}

/** A running Scrip, in the shape that this run is about, and its first project. */
export interface Scrip extends RunningChild, ScripProgram, ScripProject {}

/** An answer as it came. */
export interface ScripAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Null where there is none. */
  readonly body: any;
}

const keys = {
  SCRIP_BOOTSTRAP_PROJECT_ID: 'proj_tests',
  SCRIP_BOOTSTRAP_APP_ID: 'tests-app',
  SCRIP_BOOTSTRAP_APP_TOKEN: 'tests-token-0123456789abcdef',
  SCRIP_BOOTSTRAP_MANAGEMENT_ID: 'tests-management',
  SCRIP_BOOTSTRAP_MANAGEMENT_TOKEN: 'tests-management-token-0123456789',
};

/** The project that a started Scrip has, unless it chose itself. */
export const projectId = keys.SCRIP_BOOTSTRAP_PROJECT_ID;

const startTimeoutMs = 180_000;
// A service of an earlier release says "auth is ready at …", long before the whole is.
const readyLine = /(?<!is )ready at (http:\/\/127\.0\.0\.1:\d+)/;

const answerOf = async (answer: Response): Promise<ScripAnswer> => {
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
};

const uploader =
  (origin: string, keys: Record<string, string>): ScripProject['upload'] =>
  async (path, file, fields = {}, headers = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob([file]), 'file.csv');
    return answerOf(
      await fetch(origin + path, { method: 'POST', headers: { ...keys, ...headers }, body: form }),
    );
  };

const caller =
  (origin: string, headers: Record<string, string>) =>
  async (
    method: string,
    path: string,
    body?: unknown,
    more: Readonly<Record<string, string>> = {},
  ): Promise<ScripAnswer> => {
    const answer = await fetch(origin + path, {
      method,
      headers: { ...headers, ...more, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return answerOf(answer);
  };

const asker =
  (call: ReturnType<typeof caller>) =>
  async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = await call(method, path, body);
    if (answer.status > 299)
      throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body as Answer;
  };

/** The project of these keys, called at `origin`. */
export const projectAt = (origin: string, credentials: ScripCredentials): ScripProject => {
  const serverKeys = { 'x-app-id': credentials.app_id, 'x-app-token': credentials.app_token };
  const managementKeys = {
    'x-management-id': credentials.management_id,
    'x-management-token': credentials.management_token,
  };
  const call = caller(origin, serverKeys);
  const callAsManager = caller(origin, managementKeys);
  return {
    origin,
    credentials,
    serverKeys,
    call,
    callAsManager,
    upload: uploader(origin, serverKeys),
    ask: asker(call),
    manage: asker(callAsManager),
  };
};

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (hasEnded(child)) return;
  child.kill(signal);
  await once(child, 'exit');
};

const untilReady = async ({ child, output }: ScripProgram): Promise<string> => {
  const ready = await waitUntil(() => hasEnded(child) || readyLine.exec(output()), {
    what: 'a ready Scrip',
    timeoutMs: startTimeoutMs,
  }).catch(async (error: Error) => {
    await end(child, 'SIGTERM');
    throw new Error(`${error.message}; it wrote:\n${output()}`, { cause: error });
  });
  if (ready === true) throw new Error(`Scrip ended before it was ready; it wrote:\n${output()}`);
  return ready[1] as string;
};

/** What a Scrip is started with to use the PostgreSQL and the Kafka of this test run. */
export const serversOfThisRun = async (
  shape: Shape,
): Promise<{ databaseUrl: string; environment: Record<string, string> }> => ({
  databaseUrl: await createDatabase('scrip'),
  environment:
    shape === 'distributed'
      ? {
          SCRIP_KAFKA_BROKERS: await kafkaBrokers(),
          SCRIP_KAFKA_NAMESPACE: `run-${randomBytes(6).toString('hex')}`,
          SCRIP_KAFKA_PARTITIONS: '3',
        }
      : {},
});

/** As `startScrip`, on the PostgreSQL and the Kafka of this test run instead of its own: with a new database, and topics
 *  under a name of their own. */
export const startScripOnTestServers = async (options: ScripOptions = {}): Promise<Scrip> => {
  const { databaseUrl, environment } = await serversOfThisRun(options.shape ?? testedShape());
  return startScrip({
    databaseUrl,
    ...options,
    environment: { ...patientAnswers, ...environment, ...options.environment },
  });
};

/** Starts the built Scrip and resolves when it is ready. Throws `Error` with its output when it does not get there.
 *  `choosesKeys`: it makes the keys of its project itself, as on a first start by hand. */
export const startScrip = async ({
  choosesKeys = false,
  ...options
}: ScripOptions & { choosesKeys?: boolean } = {}): Promise<Scrip> => {
  const startedAt = performance.now();
  const environment = { ...(choosesKeys ? {} : keys), ...options.environment };
  const program = spawnScrip({ ...options, environment });
  const { child, dataDir } = program;
  const origin = await untilReady(program);
  const readyMs = performance.now() - startedAt;
  const credentials = JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')) as ScripCredentials;
  return {
    ...program,
    ...projectAt(origin, credentials),
    pid: child.pid ?? 0,
    readyMs,
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
  };
};

/** Ends a Scrip and removes its data. */
export const discard = async (scrip: Scrip): Promise<void> => {
  await scrip.stop();
  rmSync(scrip.dataDir, { recursive: true, force: true });
};

/** Creates a discount campaign of `count` unlimited codes and waits until they exist. */
export const campaignOf = async (
  scrip: ScripProject,
  name: string,
  count: number,
): Promise<{ id: string }> => {
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
export const generationEnds = async (
  scrip: ScripProject,
  campaignId: string,
  count: number,
): Promise<void> => {
  await waitUntil(
    async () => {
      const shown = await scrip.ask<{ vouchers_generation_status: string; vouchers_count: number }>(
        'GET',
        `/v1/campaigns/${campaignId}`,
      );
      return shown.vouchers_generation_status === 'DONE' && shown.vouchers_count === count;
    },
    { timeoutMs: 120_000 + count, what: `${count} codes` },
  );
};

/** Waits until a background task is DONE or FAILED; returns it as the API shows it. Throws after `timeoutMs`. */
export const taskEnds = <Task extends { status: string } = any>(
  scrip: Pick<ScripProject, 'ask'>,
  id: string,
  { timeoutMs = 60_000, intervalMs }: { timeoutMs?: number; intervalMs?: number } = {},
): Promise<Task> =>
  waitUntil(
    async () => {
      const task = await scrip.ask<Task>('GET', `/v1/async-actions/${id}`);
      return task.status === 'DONE' || task.status === 'FAILED' ? task : undefined;
    },
    { what: `the end of ${id}`, timeoutMs, ...(intervalMs === undefined ? {} : { intervalMs }) },
  );
