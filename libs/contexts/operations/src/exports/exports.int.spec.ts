import { Injectable, Module } from '@nestjs/common';
import { type AuthPort, authPort, type ToldFact } from '@scrip/contracts/auth';
import { campaignsPort } from '@scrip/contracts/campaigns';
import { catalogPort } from '@scrip/contracts/catalog';
import { customersPort } from '@scrip/contracts/customers';
import { type ExportsPort, exportFileKeys } from '@scrip/contracts/operations';
import { qualificationPort } from '@scrip/contracts/qualification';
import { embeddedEdge } from '@scrip/edge';
import { sealFile } from '@scrip/files';
import { notFound, Secret } from '@scrip/kernel';
import { servePort } from '@scrip/rpc';
import {
  bootScrip,
  jobsSchema,
  purposeRing,
  readSettings,
  type RunningApp,
  type ScripConfig,
  ScripLogger,
} from '@scrip/service';
import { createDatabase, patientAnswers, projectOf, waitUntil } from '@scrip/testing';
import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DataSource } from 'typeorm';
import { operationsContext } from '../index';
import { AbandonedExports } from './abandoned-exports';
import { ExportErasureConsumer } from './erasure.consumer';
import { ExportFiles } from './export-files';
import { ExportJob } from './export.job';
import { ExportPruner } from './export-pruner';

const project = projectOf();
let isProjectDeleted = false;
const toldAudit: ToldFact[] = [];

@Injectable()
class OneProject {
  authenticate: AuthPort['authenticate'] = async () => ({
    kind: 'server',
    key: { id: 'eu1-app', name: 'Server' },
    role: 'ADMIN',
    scopes: null,
    project,
    trusted_domains: [],
    client_switches: null,
  });
  loadProject: AuthPort['loadProject'] = async () =>
    isProjectDeleted ? notFound('project', project.id) : project;
  enterAudit: AuthPort['enterAudit'] = async (_, { told }) => ({ told: toldAudit.push(...told) });
}

/** What the owner of the records waits for before it writes a file. */
let gate: Promise<void> = Promise.resolve();
/** What happens while it writes the file of an export. */
let meanwhile: (id: string) => Promise<void> = async () => undefined;
let begun = 0;
let running: RunningApp;
let config: ScripConfig;

/** Owns records whose file is one line. */
@Injectable()
class Owner implements ExportsPort {
  checkExport: ExportsPort['checkExport'] = async () => ({ fits: true });

  writeExport: ExportsPort['writeExport'] = async (context, { id, file }) => {
    begun += 1;
    await gate;
    await meanwhile(id);
    const { purpose, boundTo } = exportFileKeys;
    const sealed = sealFile(
      purposeRing(config, purpose).unwrap(file.wrapped_key, boundTo(context.project.id, id)),
    );
    const { store } = running.app.get(ExportFiles, { strict: false });
    await Promise.all([store.write(file.name, sealed), pipeline(Readable.from(['ID\r\n']), sealed)]);
    return { rows: 0 };
  };
}

@Module({ providers: [servePort(authPort, OneProject as never)] })
class AuthModule {}

@Module({ providers: [servePort(campaignsPort, Owner as never)] })
class CampaignsModule {}

@Module({ providers: [servePort(customersPort, Owner as never)] })
class CustomersModule {}

@Module({ providers: [servePort(catalogPort, Owner as never)] })
class CatalogModule {}

@Module({ providers: [servePort(qualificationPort, Owner as never)] })
class QualificationModule {}

describe('exports', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'scrip-exports-'));
  let database: DataSource;
  let open: () => void = () => undefined;

  beforeAll(async () => {
    config = {
      ...readSettings({ SCRIP_PORT: '0', SCRIP_DATA_DIR: dataDir, ...patientAnswers }),
      masterKey: new Secret(Buffer.alloc(32, 7).toString('base64')),
      databaseUrl: new Secret(await createDatabase('operations')),
    };
    running = await bootScrip({
      contexts: [
        { name: 'auth', module: AuthModule, migrations: [] },
        { name: 'campaigns', module: CampaignsModule, migrations: [] },
        { name: 'customers', module: CustomersModule, migrations: [] },
        { name: 'catalog', module: CatalogModule, migrations: [] },
        { name: 'qualification', module: QualificationModule, migrations: [] },
        operationsContext,
      ],
      config,
      edge: embeddedEdge,
      logger: new ScripLogger({ level: 'silent' }),
    });
    database = running.app.get<DataSource>('operationsDataSource', { strict: false });
  });
  afterEach(async () => {
    open();
    await noneOpen();
    await noneUnderWay();
    await database.query('TRUNCATE exports');
    for (const file of files()) rmSync(file);
  });
  afterAll(async () => {
    await running?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const holdOwner = (): void => {
    gate = new Promise((resolve) => (open = resolve));
  };
  const noneOpen = () =>
    waitUntil(async () => (await statuses()).every((status) => status === 'DONE' || status === 'ERROR'), {
      what: 'the end of all exports',
    });
  /** The queue drops a job a moment after its export has ended; that of a deleted one still writes its file, and deletes it. */
  const noneUnderWay = () =>
    waitUntil(
      async () =>
        (
          await database.query<unknown[]>(
            `SELECT FROM ${jobsSchema('operations')}.jobs WHERE locked_at IS NOT NULL OR key LIKE $1`,
            [`${project.id} %`],
          )
        ).length === 0,
      { what: 'the end of the jobs' },
    );
  /** Leaves the export open and without a job, as a kill in its last attempt does. */
  const abandon = async (id: string, executions: number): Promise<void> => {
    await noneOpen();
    await noneUnderWay();
    await database.query(`UPDATE exports SET status = 'IN_PROGRESS', executions = $2 WHERE id = $1`, [
      id,
      executions,
    ]);
  };
  const statuses = async (): Promise<string[]> =>
    (await database.query<{ status: string }[]>('SELECT status FROM exports ORDER BY created_at, id')).map(
      ({ status }) => status,
    );
  const call = async (
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; body: any }> => {
    const response = await fetch(`${running.url}${path}`, {
      method,
      headers: { 'x-app-id': 'a', 'x-app-token': 'b', 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    return { status: response.status, body: text ? JSON.parse(text) : null };
  };
  const order = (exported_object = 'order', parameters = {}) =>
    call('POST', '/v1/exports', { exported_object, parameters });
  const ordered = async (exported_object?: string, parameters?: object): Promise<string> => {
    const { status, body } = await order(exported_object, parameters);
    expect(status).toBe(200);
    return body.id;
  };
  const erase = (): Promise<void> =>
    running.app.get(ExportErasureConsumer, { strict: false }).erased({
      events: [{ type: 'CustomerErased', projectId: project.id }],
      commit: (effect: (manager: unknown) => Promise<void>) => database.transaction(effect),
    } as never);
  const files = (): string[] =>
    readdirSync(dataDir, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));

  it('are ten at a time, however many order at once', async () => {
    holdOwner();
    const answers = await Promise.all(Array.from({ length: 50 }, () => order()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status !== 200).map(({ body }) => body);
    expect(refused).toHaveLength(40);
    expect(refused[0]).toMatchObject({
      code: 400,
      key: 'exports_limit_exceeded',
      message: 'Exports limit exceeded',
      details: 'The project has 10 exports that have not ended',
    });
    const { body } = await call('GET', '/v1/exports?limit=1&order=created_at');
    expect((await call('DELETE', `/v1/exports/${body.exports[0].id}`)).status).toBe(204);
    expect((await order()).status).toBe(200);
    expect((await order()).status).toBe(400);
  });

  it('stand behind the first one of another project, but for their own first one', async () => {
    holdOwner();
    const keys: string[] = [];
    for (let n = 0; n < 3; n += 1) keys.push(`${project.id} ${await ordered()}`);
    const rows = await database.query<{ priority: number }[]>(
      `SELECT priority FROM ${jobsSchema('operations')}._private_jobs WHERE key = ANY($1) ORDER BY id`,
      [keys],
    );
    expect(rows.map(({ priority }) => priority)).toEqual([0, 1, 2]);
  });

  it('whose file the store has lost are shown, and not downloaded', async () => {
    const id = await ordered();
    await noneOpen();
    const { body } = await call('GET', `/v1/exports/${id}`);
    for (const file of files()) rmSync(file);
    const answer = await fetch(body.result.url);
    expect([answer.status, await answer.json()]).toMatchObject([404, { key: 'not_found', resource_id: id }]);
    expect(await statuses()).toEqual(['DONE']);
  });

  it('are not downloaded any more once their project is deleted, by links of before either', async () => {
    const id = await ordered();
    await noneOpen();
    const { body } = await call('GET', `/v1/exports/${id}`);
    isProjectDeleted = true;
    const answer = await fetch(body.result.url);
    isProjectDeleted = false;
    expect([answer.status, await answer.json()]).toMatchObject([401, { key: 'unauthorized' }]);
    expect((await fetch(body.result.url)).status).toBe(200);
  });

  it('are of the key that ordered them', async () => {
    expect((await order()).body).toMatchObject({ channel: 'API', user_id: 'eu1-app' });
  });

  it('are told to the audit trail, without their parameters', async () => {
    const id = await ordered('customer', { order: '-name' });
    const toldOfIt = () => toldAudit.find(({ resource_id }) => resource_id === id);
    await waitUntil(() => Promise.resolve(toldOfIt() !== undefined), { what: 'what the trail is told' });
    expect(toldOfIt()).toMatchObject({
      ...{ action: 'export.ordered', resource_type: 'export', project_id: project.id },
      ...{ user_id: null, key_id: 'eu1-app', changes: { exported_object: 'customer' } },
    });
  });

  it('go on where they lost their job', async () => {
    await ordered();
    await abandon(await ordered(), 1);
    await running.app.get(AbandonedExports, { strict: false }).resume();
    await noneOpen();
    expect(await statuses()).toEqual(['DONE', 'DONE']);
  });

  it('end where each execution ends its process', async () => {
    await abandon(await ordered(), 18);
    await running.app.get(AbandonedExports, { strict: false }).resume();
    expect(await statuses()).toEqual(['ERROR']);
  });

  it('end where each execution ends its process, though a job is left each time', async () => {
    const id = await ordered();
    await abandon(id, 17);
    const before = begun;
    // The last attempt of a job that was interrupted is given one more.
    const run = () =>
      running.app
        .get(ExportJob, { strict: false })
        .run({ project_id: project.id, id }, { attempt: 6, maxAttempts: 6 });
    const killed = jest
      .spyOn(running.app.get(ExportFiles, { strict: false }), 'delete')
      .mockImplementationOnce(() => new Promise(() => undefined));
    void run();
    await waitUntil(() => Promise.resolve(killed.mock.calls.length > 0), { what: 'the last execution' });
    killed.mockRestore();
    expect(await statuses()).toEqual(['IN_PROGRESS']);
    await run();
    expect(await statuses()).toEqual(['ERROR']);
    expect(begun).toBe(before);
  });

  it('let others of their lane go first where they begin again, and do not end by how often they do', async () => {
    const [of, before] = [await ordered('order'), begun];
    await noneOpen();
    holdOwner();
    const people = await ordered('customer');
    await ordered('order', { order: '-created_at' });
    // A customer is erased during each execution.
    meanwhile = async (id) => {
      if (id === people) await erase();
    };
    open();
    await waitUntil(async () => (await statuses()).join() === 'DONE,IN_PROGRESS,DONE', {
      what: 'the end of the export behind',
    });
    await waitUntil(() => Promise.resolve(begun >= before + 4), { what: 'another execution' });
    meanwhile = async () => undefined;
    await noneOpen();
    expect(await statuses()).toEqual(['DONE', 'DONE', 'DONE']);
    expect(
      await database.query('SELECT executions FROM exports WHERE id = ANY($1) ORDER BY created_at', [
        [of, people],
      ]),
    ).toEqual([{ executions: 1 }, { executions: 1 }]);
  });

  it('begin again where a customer is erased meanwhile, if they tell of people', async () => {
    const kept = await ordered('order');
    const gone = await ordered('customer');
    await noneOpen();
    holdOwner();
    const before = begun;
    const underWay = await ordered('customer', { order: '-name' });
    await waitUntil(() => Promise.resolve(begun > before), {
      what: 'the export under way',
    });
    await erase();
    open();
    await noneOpen();
    expect(begun).toBe(before + 2);
    const { body } = await call('GET', '/v1/exports?order=created_at');
    expect(body.exports.map(({ id }: { id: string }) => id)).toEqual([kept, underWay]);
    expect((await call('GET', `/v1/exports/${gone}`)).status).toBe(404);
    expect(files()).toHaveLength(2);
  });

  it('go with their files after 90 days, and files without exports after a day', async () => {
    const old = await ordered();
    const young = await ordered();
    await noneOpen();
    await database.query(`UPDATE exports SET stored_at = now() - interval '91 days' WHERE id = $1`, [old]);
    const { store } = running.app.get(ExportFiles, { strict: false });
    const orphans = ['exports/orphan-of-today', 'exports/orphan'];
    for (const name of orphans) await store.write(name, Readable.from(['x']));
    const long = new Date(Date.now() - 2 * 86_400_000);
    for (const file of files()) if (!file.endsWith('of-today')) utimesSync(file, long, long);
    await running.app.get(ExportPruner, { strict: false }).prune();
    const { body } = await call('GET', '/v1/exports');
    expect(body.exports.map(({ id }: { id: string }) => id)).toEqual([young]);
    const left = files().map((file) => file.slice(file.lastIndexOf('/') + 1));
    expect(left).toHaveLength(2);
    expect(left).toContain('orphan-of-today');
    expect((await fetch(body.exports[0].result.url)).status).toBe(200);
  });

  it('are listed on from one of them', async () => {
    const ids = [await ordered(), await ordered(), await ordered()];
    const from = async (query: string): Promise<string[]> => {
      const { body } = await call('GET', `/v1/exports?limit=2&${query}`);
      expect(body.total).toBe(3);
      return body.exports.map(({ id }: { id: string }) => id);
    };
    expect(await from('order=created_at')).toEqual([ids[0], ids[1]]);
    expect(await from(`order=created_at&starting_after_id=${ids[1]}`)).toEqual([ids[2]]);
    expect(await from(`starting_after_id=${ids[1]}`)).toEqual([ids[0]]);
    expect((await call('GET', `/v1/exports?order=status&starting_after_id=${ids[1]}`)).body.details).toBe(
      'Property .starting_after_id cannot be combined with an order other than created_at or -created_at',
    );
    expect((await call('GET', '/v1/exports?starting_after_id=exp_x')).body.details).toBe(
      'Property .starting_after_id names no export of the list: exp_x',
    );
  });
});
