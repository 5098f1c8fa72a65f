import { Controller, Get, Ip, Module, Query } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Secret } from '@scrip/kernel';
import { createDatabase, waitUntil } from '@scrip/testing';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { readSettings, type ScripConfig } from '../config/scrip-config';
import type { ContextDefinition } from '../context/context-definition';
import { defineJob } from '../jobs/job-definition';
import { JobHandler } from '../jobs/job-handler';
import { InjectJobQueue, JobQueue } from '../jobs/job-queue';
import { ScripLogger } from '../logging/scrip-logger';
import { bootScrip, type RunningApp } from './boot-scrip';

const note = defineJob<{ text: string }>('operations', 'note');

class CreateNotes1796000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE notes (text text NOT NULL)');
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE notes');
  }
}

let releaseSlow: (() => void) | undefined;

@Controller('notes')
class NotesHttp {
  constructor(
    @InjectDataSource('operations') private readonly database: DataSource,
    @InjectJobQueue('operations') private readonly jobs: JobQueue,
  ) {}

  @Get('add')
  async add(@Query('text') text: string): Promise<object> {
    await this.jobs.add(note, { text });
    return {};
  }
  @Get('caller')
  caller(@Ip() address: string): string {
    return address;
  }
  @Get('slow')
  async slow(): Promise<unknown[]> {
    await new Promise<void>((resolve) => (releaseSlow = resolve));
    return this.list();
  }
  @Get()
  list(): Promise<unknown[]> {
    return this.database.query('SELECT text FROM notes ORDER BY text');
  }
  @JobHandler(note)
  async write({ text }: { text: string }): Promise<void> {
    await this.database.query('INSERT INTO notes VALUES ($1)', [text]);
  }
}

@Module({ controllers: [NotesHttp] })
class NotesModule {}

const notes: ContextDefinition = {
  name: 'operations',
  module: NotesModule,
  migrations: [CreateNotes1796000000000],
  jobs: true,
};

const configOn = (databaseUrl: string, env: NodeJS.ProcessEnv): ScripConfig => ({
  ...readSettings({ SCRIP_PORT: '0', ...env }),
  masterKey: new Secret(Buffer.alloc(32).toString('base64')),
  databaseUrl: new Secret(databaseUrl),
});

const boot = (databaseUrl: string, env: NodeJS.ProcessEnv = {}): Promise<RunningApp> =>
  bootScrip({
    contexts: [notes],
    config: configOn(databaseUrl, env),
    edge: { fastifyOptions: {}, register: () => undefined, migrations: [] },
    logger: new ScripLogger({ level: 'silent' }),
  });

const get = async (app: RunningApp, path: string): Promise<{ status: number; body: string }> => {
  const response = await fetch(`${app.url}${path}`);
  return { status: response.status, body: await response.text() };
};

// The caller claims the first address; the outer proxy saw the second one, and is the third.
const forwardedTo = async (app: RunningApp): Promise<string> => {
  const headers = { 'x-forwarded-for': '203.0.113.1, 198.51.100.2, 10.0.0.3' };
  return (await fetch(`${app.url}/notes/caller`, { headers })).text();
};

describe('a booted process', () => {
  let databaseUrl: string;
  let app: RunningApp;

  beforeAll(async () => {
    databaseUrl = await createDatabase('boot');
    app = await boot(databaseUrl);
  });
  afterAll(() => app?.close());

  it('serves its contexts on migrated schemas', async () => {
    expect(await get(app, '/notes')).toEqual({ status: 200, body: '[]' });
  });

  it('is alive and ready', async () => {
    expect(await get(app, '/healthz')).toEqual({ status: 200, body: '{"status":"ok"}' });
    expect(await get(app, '/readyz')).toEqual({ status: 200, body: '{"status":"ready"}' });
  });

  it('runs jobs', async () => {
    await get(app, '/notes/add?text=hello');
    await waitUntil(async () => (await get(app, '/notes')).body === '[{"text":"hello"}]', {
      what: 'the note',
    });
  });

  it.each([
    'scrip_http_request_seconds_count{method="GET",route="/healthz",status="200"}',
    'scrip_horizon_age_seconds',
    'scrip_mailbox_depth{context="operations"} 0',
    'scrip_pool_connections{context="operations",state="open"}',
    'scrip_process_resident_memory_bytes',
  ])('measures %s', async (metric) => {
    expect(await (await fetch(`${app.metricsUrl}/metrics`)).text()).toContain(metric);
  });

  it('shows its measurements on an address of their own, and nothing else there', async () => {
    expect((await get(app, '/metrics')).status).toBe(404);
    expect(new URL(app.metricsUrl).hostname).toBe('127.0.0.1');
    expect((await fetch(`${app.metricsUrl}/readyz`)).status).toBe(200);
    expect((await fetch(`${app.metricsUrl}/notes`)).status).toBe(404);
    expect((await fetch(`${app.metricsUrl}/metrics`, { method: 'POST' })).status).toBe(404);
  });

  it('takes the address that connects for the caller, whatever he says', async () => {
    expect(await forwardedTo(app)).toBe('127.0.0.1');
  });

  it('takes the address that a trusted proxy saw for the caller', async () => {
    const behind = await boot(await createDatabase('boot'), { SCRIP_TRUST_PROXY: '10.0.0.0/8,127.0.0.1' });
    const caller = await forwardedTo(behind);
    await behind.close();
    expect(caller).toBe('198.51.100.2');
  });

  it('lets several processes start on one empty database at once', async () => {
    const shared = await createDatabase('boot');
    const apps = await Promise.all([boot(shared), boot(shared)]);
    const answers = await Promise.all(apps.map((one) => get(one, '/readyz')));
    await Promise.all(apps.map((one) => one.close()));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('answers requests that run while it closes, and leaves no connection behind', async () => {
    const own = await createDatabase('boot');
    const closing = await boot(own);
    const answer = get(closing, '/notes/slow');
    await waitUntil(() => releaseSlow !== undefined, { what: 'the request in its handler' });
    const closed = closing.close();
    await waitUntil(() => !closing.app.getHttpServer().listening, { what: 'the end of listening' });
    releaseSlow?.();
    expect(await answer).toEqual({ status: 200, body: '[]' });
    await closed;
    await expect(fetch(`${closing.url}/healthz`)).rejects.toThrow('fetch failed');
    await expect(fetch(`${closing.metricsUrl}/metrics`)).rejects.toThrow('fetch failed');
    const name = new URL(own).pathname.slice(1);
    const database = app.app.get<DataSource>('operationsDataSource', { strict: false });
    const sessions = 'SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = $1';
    // A backend ends a moment after its connection.
    await waitUntil(
      async () => (await database.query<{ count: number }[]>(sessions, [name]))[0]?.count === 0,
      { what: 'the end of every connection' },
    );
  });
});
