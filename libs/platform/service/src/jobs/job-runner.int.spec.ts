import { Logger } from '@nestjs/common';
import { Secret } from '@scrip/kernel';
import { createDatabase, waitUntil } from '@scrip/testing';
import type { DataSource } from 'typeorm';
import { readSettings } from '../config/scrip-config';
import {
  type DatabaseSettings,
  contextDataSourceOptions,
  openContextDataSource,
} from '../context/context-data-source';
import { DueLooks } from './due-jobs';
import { defineJob } from './job-definition';
import type { RunningJob } from './job-handler';
import { JobQueue } from './job-queue';
import { JobRunner } from './job-runner';
import { migrateJobs } from './jobs-schema';

const deliver = defineJob<{ id: string }>('webhooks', 'deliver');

describe('jobs of a context', () => {
  beforeAll(() => Logger.overrideLogger(false));
  let settings: DatabaseSettings;
  let dataSource: DataSource;
  let queue: JobQueue;
  let runner: JobRunner | undefined;
  const ran: { id: string; attempt: number }[] = [];
  let onJob: (payload: { id: string }, job: RunningJob) => Promise<void>;

  const start = async (): Promise<JobRunner> => {
    const handlers = new Map([
      [
        'deliver',
        async (payload: object, job: RunningJob) => {
          const { id } = payload as { id: string };
          ran.push({ id, attempt: job.attempt });
          await onJob({ id }, job);
        },
      ],
    ]);
    runner = new JobRunner({
      settings,
      dataSource,
      schema: 'webhooks_jobs',
      handlers,
      concurrency: 2,
      abortAfterMs: 100,
    });
    await runner.start();
    return runner;
  };
  const hasRun = (id: string, attempt = 1) =>
    waitUntil(() => ran.some((job) => job.id === id && job.attempt === attempt), {
      what: `${id}, attempt ${attempt}`,
    });

  // What a process leaves behind that was killed while it ran a job.
  const markAsRunningIn = async (workerId: string, attempts: number): Promise<void> => {
    await dataSource.query(
      'UPDATE webhooks_jobs._private_jobs SET locked_by = $1, locked_at = now(), attempts = $2, run_at = now()',
      [workerId, attempts],
    );
  };
  const lockHolders = (): Promise<{ pid: number }[]> =>
    dataSource.query(`SELECT pid FROM pg_stat_activity
      WHERE application_name = 'scrip-worker-lock' AND datname = current_database()`);

  beforeAll(async () => {
    settings = { ...readSettings({}), databaseUrl: new Secret(await createDatabase('jobs')) };
    dataSource = await openContextDataSource(contextDataSourceOptions(settings, 'webhooks', []));
    await migrateJobs(settings, 'webhooks_jobs');
    queue = new JobQueue('webhooks', dataSource);
  });
  beforeEach(async () => {
    ran.length = 0;
    onJob = async () => undefined;
    await dataSource.query('DELETE FROM webhooks_jobs._private_jobs');
  });
  afterEach(async () => {
    await runner?.stop();
    runner = undefined;
  });
  afterAll(() => dataSource.destroy());

  it('run with the payload they were added with', async () => {
    await start();
    await queue.add(deliver, { id: 'a' });
    await queue.addMany(deliver, [{ payload: { id: 'b' } }, { payload: { id: 'c' } }]);
    await Promise.all(['a', 'b', 'c'].map((id) => hasRun(id)));
  });

  it('are taken and completed under the time limits of transactions', async () => {
    await dataSource.query(`
      CREATE TABLE public.limits (transaction text, idle text);
      CREATE FUNCTION public.note_limits() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO public.limits SELECT current_setting('transaction_timeout'),
          current_setting('idle_in_transaction_session_timeout');
        RETURN NULL;
      END $$;
      CREATE TRIGGER note_limits AFTER UPDATE OR DELETE ON webhooks_jobs._private_jobs
        FOR EACH ROW WHEN (current_setting('application_name') = 'scrip-webhooks_jobs')
        EXECUTE FUNCTION public.note_limits()`);
    await start();
    await queue.add(deliver, { id: 'limited' });
    const noted = () => dataSource.query<object[]>('SELECT * FROM public.limits');
    await waitUntil(async () => (await noted()).length >= 2, { what: 'the taking and the end of the job' });
    await dataSource.query('DROP TRIGGER note_limits ON webhooks_jobs._private_jobs');
    expect(await noted()).toEqual([
      { transaction: '20s', idle: '5s' },
      { transaction: '20s', idle: '5s' },
    ]);
  });

  it('exist only if the transaction that added them commits', async () => {
    await start();
    await dataSource
      .transaction(async (manager) => {
        await queue.add(deliver, { id: 'undone' }, {}, manager);
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    await dataSource.transaction((manager) => queue.add(deliver, { id: 'done' }, {}, manager));
    await hasRun('done');
    expect(ran.map(({ id }) => id)).toEqual(['done']);
  });

  it('go on where tables of jobs were changed, and the process ends well later', async () => {
    await start();
    const before = process.exitCode;
    const said = jest.spyOn(Logger.prototype, 'log');
    const isSaid = () => said.mock.calls.some(([text]) => String(text).includes('breaking migration'));
    await waitUntil(
      async () => {
        // Again: the worker may not be listening yet.
        if (!isSaid())
          await dataSource.query(
            `SELECT pg_notify('worker:migrate', '{"breaking": true, "migrationNumber": 99}')`,
          );
        return isSaid();
      },
      { what: 'the notice of the migration' },
    );
    await queue.add(deliver, { id: 'after' });
    await hasRun('after');
    const after = process.exitCode;
    process.exitCode = before;
    expect(after).toBe(before);
    said.mockRestore();
  });

  // The workers would look by themselves after an hour; when the looks come says the spec of those.
  it('run soon after their time', async () => {
    await start();
    const dueAt = Date.now() + 2_500;
    await queue.add(deliver, { id: 'later' }, { runAt: new Date(dueAt) });
    await hasRun('later');
    expect(Date.now()).toBeGreaterThanOrEqual(dueAt);
  });

  it('of one queue run soon one after another, whoever waits for them', async () => {
    const moved = jest.spyOn(DueLooks.prototype, 'queueMoved');
    await start();
    const ids = Array.from({ length: 20 }, (_, index) => `lane-${index}`);
    await queue.addMany(
      deliver,
      ids.map((id) => ({ payload: { id }, queueName: 'lane' })),
    );
    await waitUntil(() => ran.length === ids.length, { what: 'all jobs of the queue' });
    // After each end the looks come soon.
    await waitUntil(() => moved.mock.calls.length === ids.length, { what: 'the end of the last one' });
    moved.mockRestore();
  });

  it('wait at most once under one key', async () => {
    await queue.add(deliver, { id: 'first' }, { jobKey: 'same' });
    await queue.add(deliver, { id: 'second' }, { jobKey: 'same' });
    await start();
    await hasRun('second');
    expect(ran.map(({ id }) => id)).toEqual(['second']);
  });

  it('are gone after their removal', async () => {
    await queue.add(deliver, { id: 'removed' }, { jobKey: 'gone' });
    await queue.remove('gone');
    await queue.add(deliver, { id: 'kept' });
    await start();
    await hasRun('kept');
    expect(ran.map(({ id }) => id)).toEqual(['kept']);
  });

  it('go on at once, when their worker was killed, at the next start', async () => {
    await queue.add(deliver, { id: 'killed' });
    await markAsRunningIn('pool-of-a-killed-process', 1);
    await start();
    await hasRun('killed', 2);
  });

  it('go on within 10 s, when another process was killed', async () => {
    await start();
    await queue.add(deliver, { id: 'killed' }, { runAt: new Date(Date.now() + 60_000) });
    await markAsRunningIn('pool-of-a-killed-process', 1);
    await hasRun('killed', 2);
  });

  it('get one more attempt when they were killed in their last one', async () => {
    await queue.add(deliver, { id: 'last' }, { maxAttempts: 3 });
    await markAsRunningIn('pool-of-a-killed-process', 3);
    await start();
    await hasRun('last', 3);
  });

  it('stay with a worker that lives', async () => {
    let end: () => void = () => undefined;
    onJob = ({ id }) => (id === 'long' ? new Promise((resolve) => (end = resolve)) : Promise.resolve());
    const living = await start();
    await queue.add(deliver, { id: 'long' });
    await hasRun('long');
    runner = undefined;
    await start();
    await queue.add(deliver, { id: 'other' });
    await hasRun('other');
    expect(ran.map(({ id }) => id)).toEqual(['long', 'other']);
    end();
    await living.stop();
  });

  it('go on under another worker when the lock of this one is lost', async () => {
    await start();
    await queue.add(deliver, { id: 'before' });
    await hasRun('before');
    // That of a runner before may end a moment later than its connection.
    await waitUntil(async () => (await lockHolders()).length === 1, { what: 'one holder of a lock' });
    const [holder] = await lockHolders();
    await dataSource.query('SELECT pg_terminate_backend($1)', [holder?.pid]);
    await waitUntil(async () => (await lockHolders()).some(({ pid }) => pid !== holder?.pid), {
      what: 'a new lock',
    });
    await queue.add(deliver, { id: 'after' });
    await hasRun('after');
  });

  it('go on when they were taken by a statement whose answer was lost', async () => {
    const jobs = (): Promise<{ locked_by: string }[]> =>
      dataSource.query('SELECT locked_by FROM webhooks_jobs._private_jobs');
    let end: () => void = () => undefined;
    onJob = () => new Promise((resolve) => (end = resolve));
    await start();
    await queue.add(deliver, { id: 'known' });
    await hasRun('known');
    const worker = (await jobs())[0]!.locked_by;
    end();
    // Or its end would be the statement that waits for the lock.
    await waitUntil(async () => (await jobs()).length === 0, { what: 'the end of the known job' });
    onJob = async () => undefined;
    await queue.add(deliver, { id: 'unknown' }, { runAt: new Date(Date.now() + 60_000) });
    await markAsRunningIn(worker, 1);
    await dataSource.transaction(async (manager) => {
      await manager.query('LOCK TABLE webhooks_jobs._private_jobs');
      await dataSource.query(`SELECT pg_notify('jobs:insert', '{"count":1}')`);
      const taking = `SELECT pid FROM pg_stat_activity
        WHERE application_name = 'scrip-webhooks_jobs' AND wait_event_type = 'Lock' AND datname = current_database()`;
      await waitUntil(async () => (await manager.query<object[]>(taking)).length > 0, {
        what: 'a statement that takes a job',
      });
      await manager.query(`SELECT pg_terminate_backend(pid) FROM (${taking}) t`);
    });
    await hasRun('unknown', 2);
  });

  it('are told to stop when the process shuts down', async () => {
    onJob = (_payload, { abortSignal }) =>
      new Promise((_resolve, reject) =>
        abortSignal.addEventListener('abort', () => reject(new Error('stopped'))),
      );
    const stopping = await start();
    await queue.add(deliver, { id: 'endless' });
    await hasRun('endless');
    runner = undefined;
    await stopping.stop();
    const [job] = await dataSource.query<{ locked_by: string | null }[]>(
      'SELECT locked_by FROM webhooks_jobs._private_jobs',
    );
    expect(job?.locked_by).toBeNull();
  });
});
