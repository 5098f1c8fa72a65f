import { Injectable, Module } from '@nestjs/common';
import { type AuthPort, authPort } from '@scrip/contracts/auth';
import { campaignsPort } from '@scrip/contracts/campaigns';
import { catalogPort } from '@scrip/contracts/catalog';
import { customersPort } from '@scrip/contracts/customers';
import type { AsyncActionSnapshot, ItemResult, TaskEvent, TasksPort } from '@scrip/contracts/operations';
import { embeddedEdge } from '@scrip/edge';
import { type AggregateDefinition, type AggregateStore, stateTableColumns } from '@scrip/event-store';
import { Secret, internalContext, notFound, refuse } from '@scrip/kernel';
import { servePort } from '@scrip/rpc';
import { bootScrip, MACHINE_CLOCK, readSettings, type RunningApp, ScripLogger } from '@scrip/service';
import { createDatabase, waitUntil, projectOf } from '@scrip/testing';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { operationsContext } from '../index';
import { ReportLinks } from '../links/links.providers';

const project = projectOf();

const action = (n: number, fields: Partial<AsyncActionSnapshot> = {}): AsyncActionSnapshot => ({
  id: `aa_c${n}`,
  type: 'CAMPAIGN.VOUCHERS_GENERATE',
  status: 'ENQUEUED',
  operation_status: 'UNKNOWN',
  progress: 0,
  processing_time: null,
  request_id: 'v-1',
  result: null,
  created_at: `2026-03-0${n}T10:00:00.000Z`,
  updated_at: null,
  ...fields,
});

/** What an owner's own log tells, without the owner. */
const taskAggregate: AggregateDefinition<AsyncActionSnapshot, TaskEvent> = {
  aggregate: 'task',
  table: 'tasks',
  evolve: (_, { data }) => data.async_action,
  columns: {},
};

class CreateTasks1763700000009 implements MigrationInterface {
  up(runner: QueryRunner): Promise<void> {
    return runner.query(`CREATE TABLE tasks (${stateTableColumns})`);
  }
  down(runner: QueryRunner): Promise<void> {
    return runner.query('DROP TABLE tasks');
  }
}

@Injectable()
class OneProject implements AuthPort {
  authenticate: AuthPort['authenticate'] = async () => ({
    kind: 'server',
    key: { id: 'app', name: 'Server' },
    role: 'ADMIN',
    scopes: null,
    project,
    trusted_domains: [],
    client_switches: null,
  });
  loadProject: AuthPort['loadProject'] = async () => project;
  loadManagedProject: AuthPort['loadManagedProject'] = this.loadProject;
  loadMetadataSchemas: AuthPort['loadMetadataSchemas'] = async () => ({ schemas: [] });
  loadLocations: AuthPort['loadLocations'] = async () => ({ locations: [] });
  keepLocations: AuthPort['keepLocations'] = async () => ({ locations: [] });
  restoreLocations: AuthPort['restoreLocations'] = async () => ({ renamed: [], created: [] });
  useLocations: AuthPort['useLocations'] = async () => ({ unknown: [] });
  enterAudit: AuthPort['enterAudit'] = async () => ({ told: 0 });
  countCalls: AuthPort['countCalls'] = async () => ({ calls: [] });
  loadStackingRules: AuthPort['loadStackingRules'] = async () => ({ version: 0, settings: null });
  releaseCategory: AuthPort['releaseCategory'] = async () => ({ removed: false });
}

/** The owner of the tasks; knows one task that no event tells of. */
@Injectable()
class Owner implements TasksPort {
  readTaskReport: TasksPort['readTaskReport'] = async (_, { id }) => notFound('task_result', id);

  loadAsyncAction: TasksPort['loadAsyncAction'] = async (_, { id }) =>
    id === 'aa_c3' || id === 'aa_c9'
      ? action(Number(id.at(-1)), {
          status: 'IN_PROGRESS',
          progress: 42,
          updated_at: '2026-03-03T10:00:01.000Z',
        })
      : refuse('not_found', `Cannot find async_action with id ${id}`, {
          resourceId: id,
          resourceType: 'async_action',
        });
}

const errors = (n: number, ofFile: boolean): ItemResult => ({
  identifier: `shop-${n}`,
  ...(ofFile ? { row: n } : {}),
  found: false,
  updated: false,
  failure: { key: 'invalid_payload', message: 'Invalid payload', details: `Nothing fits ${n}` },
});

/** An owner of a bulk update and of an import, of which some inputs failed. */
@Injectable()
class OwnerOfItems implements TasksPort {
  loadAsyncAction: TasksPort['loadAsyncAction'] = async (_, { id }) => ({
    ...(id === 'aa_u1' ? bulkUpdate : imported),
    failures: {
      identified_by: 'source_id',
      results: [errors(2, id === 'aa_u2'), errors(4, id === 'aa_u2')],
    },
  });
  readTaskReport: TasksPort['readTaskReport'] = async (_, { id, from }) => {
    if (id === 'aa_u2')
      return { identified_by: 'source_id', results: [created, errors(2, true)], next: null };
    return id === 'aa_u1'
      ? {
          identified_by: 'source_id',
          results: pages[from] ?? [],
          next: from + 1 < pages.length ? from + 1 : null,
        }
      : notFound('task_result', id);
  };
}

const ended = {
  status: 'DONE',
  operation_status: 'SUCCESS',
  progress: 100,
  processing_time: 5,
  updated_at: '2026-03-06T10:00:05.000Z',
} as const;

const bulkUpdate = action(1, {
  ...ended,
  id: 'aa_u1',
  type: 'CUSTOMERS.BULK_UPDATE',
  result: { done_count: 3, failed_count: 2, reports_available_till: '2026-04-05T10:00:05.000Z' },
});

const imported = action(2, {
  ...ended,
  id: 'aa_u2',
  type: 'CUSTOMERS.IMPORT_CSV',
  result: {
    message: '3 customers imported successfully, 2 failed.',
    done_count: 3,
    failed_count: 2,
    reports_available_till: '2026-04-05T10:00:05.000Z',
  },
});

const created: ItemResult = { identifier: null, row: 1, found: false, updated: true };

const pages: ItemResult[][] = [
  [{ identifier: 'shop-1', found: true, updated: true }, errors(2, false)],
  [
    { identifier: '=HYPERLINK("http://example.com")', found: false, updated: true },
    { identifier: 'a "quoted", one', found: true, updated: false },
  ],
];

@Module({ providers: [servePort(authPort, OneProject)] })
class AuthModule {}

@Module({ providers: [servePort(campaignsPort, Owner as never)] })
class CampaignsModule {}

@Module({ providers: [servePort(customersPort, OwnerOfItems as never)] })
class CustomersModule {}

@Module({ providers: [servePort(catalogPort, Owner as never)] })
class CatalogModule {}

describe('async actions', () => {
  let running: RunningApp;
  let database: DataSource;
  let tasks: AggregateStore<AsyncActionSnapshot, TaskEvent>;

  beforeAll(async () => {
    running = await bootScrip({
      contexts: [
        { name: 'auth', module: AuthModule, migrations: [] },
        { name: 'campaigns', module: CampaignsModule, migrations: [CreateTasks1763700000009] },
        { name: 'customers', module: CustomersModule, migrations: [CreateTasks1763700000009] },
        { name: 'catalog', module: CatalogModule, migrations: [CreateTasks1763700000009] },
        operationsContext,
      ],
      config: {
        ...readSettings({ SCRIP_PORT: '0' }),
        masterKey: new Secret(Buffer.alloc(32, 7).toString('base64')),
        databaseUrl: new Secret(await createDatabase('operations')),
      },
      edge: embeddedEdge,
      logger: new ScripLogger({ level: 'silent' }),
    });
    database = running.app.get<DataSource>('operationsDataSource', { strict: false });
    tasks = running.eventStores.get('campaigns')!.aggregate(taskAggregate);
    for (const n of [1, 2, 3]) await tell(action(n), 'AsyncActionEnqueued');
    const done = {
      status: 'DONE',
      operation_status: 'SUCCESS',
      progress: 100,
      processing_time: 900,
    } as const;
    const result = { message: 'Generated 2 vouchers.', done_count: 2 };
    await tell(
      action(1, { status: 'IN_PROGRESS', updated_at: '2026-03-01T10:00:01.000Z' }),
      'AsyncActionStarted',
    );
    await tell(
      action(1, { ...done, result, updated_at: '2026-03-01T10:00:02.000Z' }),
      'AsyncActionCompleted',
    );
    await waitUntil(
      async () => (await rows()).some(({ version }) => version === '3') && (await rows()).length === 3,
      {
        what: 'the projection',
      },
    );
  });
  afterAll(() => running?.close());

  const tell = (async_action: AsyncActionSnapshot, type: TaskEvent['type']) =>
    tasks.execute<null>({
      context: internalContext(project),
      streamId: async_action.id,
      decide: () => ({ events: [{ type, data: { async_action } } as TaskEvent], answer: null }),
    });
  const rows = () =>
    database.query<{ id: string; version: string }[]>('SELECT id, version FROM async_actions ORDER BY id');
  const get = async (path: string): Promise<{ status: number; body: Record<string, unknown> }> => {
    const response = await fetch(`${running.url}${path}`, {
      headers: { 'x-app-id': 'a', 'x-app-token': 'b' },
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const listed = async (query: string) => {
    const { body } = await get(`/v1/async-actions${query}`);
    return { ids: (body.async_actions as { id: string }[]).map(({ id }) => id), has_more: body.has_more };
  };

  it('lists the newest first, in pages', async () => {
    expect(await listed('')).toEqual({ ids: ['aa_c3', 'aa_c2', 'aa_c1'], has_more: false });
    expect(await listed('?limit=2')).toEqual({ ids: ['aa_c3', 'aa_c2'], has_more: true });
    expect(await listed('?end_date=2026-03-02T10:00:00.000Z')).toEqual({ ids: ['aa_c1'], has_more: false });
    expect(await listed('?end_date=2026-03-02T10:00:00.001Z')).toEqual({
      ids: ['aa_c2', 'aa_c1'],
      has_more: false,
    });
    expect((await get('/v1/async-actions?limit=101')).status).toBe(400);
  });

  it('lists without results', async () => {
    const { body } = await get('/v1/async-actions?end_date=2026-03-02');
    expect(body).toEqual({
      object: 'list',
      data_ref: 'async_actions',
      async_actions: [
        {
          id: 'aa_c1',
          type: 'CAMPAIGN.VOUCHERS_GENERATE',
          status: 'DONE',
          operation_status: 'SUCCESS',
          created_at: '2026-03-01T10:00:00.000Z',
          updated_at: '2026-03-01T10:00:02.000Z',
          request_id: 'v-1',
          processing_time: 900,
          progress: 100,
          object: 'async_action',
        },
      ],
      has_more: false,
    });
  });

  it('shows one with its result', async () => {
    const { body } = await get('/v1/async-actions/aa_c1');
    expect(body).toMatchObject({ id: 'aa_c1', result: { message: 'Generated 2 vouchers.', done_count: 2 } });
  });

  it('asks the owner while a task has not ended', async () => {
    expect((await get('/v1/async-actions/aa_c3')).body).toMatchObject({
      status: 'IN_PROGRESS',
      progress: 42,
    });
  });

  it('asks the owner about a task that it has not heard of yet', async () => {
    expect((await get('/v1/async-actions/aa_c9')).body).toMatchObject({ id: 'aa_c9', status: 'IN_PROGRESS' });
  });

  it.each(['aa_c7', 'aa_x1', 'camp_1'])('does not find %s', async (id) => {
    const { status, body } = await get(`/v1/async-actions/${id}`);
    expect([status, body.key, body.resource_type, body.resource_id]).toEqual([
      404,
      'not_found',
      'async_action',
      id,
    ]);
  });

  it('shows which inputs of a bulk update failed, and links to its report', async () => {
    const { body } = await get('/v1/async-actions/aa_u1');
    expect(body.result).toEqual({
      done_count: 3,
      failed_count: 2,
      reports: [expect.stringMatching(/\/v1\/task-results\/aa_u1\?token=./)],
      reports_available_till: '2026-04-05T10:00:05.000Z',
      errors: [2, 4].map((n) => ({
        key: 'invalid_payload',
        message: 'Invalid payload',
        details: `Nothing fits ${n}`,
        source_id: `shop-${n}`,
      })),
    });
  });

  it('shows which rows of an import failed', async () => {
    const { body } = await get('/v1/async-actions/aa_u2');
    expect(body.result).toEqual({
      message: '3 customers imported successfully, 2 failed.',
      done_count: 3,
      failed_count: 2,
      reports: [expect.stringMatching(/\/v1\/task-results\/aa_u2\?token=./)],
      reports_available_till: '2026-04-05T10:00:05.000Z',
      failed: [2, 4].map((n) => ({ source_id: `shop-${n}`, row: n, reason: `Nothing fits ${n}` })),
    });
  });

  describe('reports', () => {
    const linkTo = async (id = 'aa_u1'): Promise<string> => {
      const { body } = await get(`/v1/async-actions/${id}`);
      return (body.result as { reports: string[] }).reports[0]!;
    };
    const download = (link: string) => fetch(link);

    it('have a line for each input, in which no spreadsheet finds a formula', async () => {
      const response = await download(await linkTo());
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/plain; charset=utf-8',
      ]);
      expect(response.headers.get('content-disposition')).toBe('attachment; filename="aa_u1.csv"');
      expect(await response.text()).toBe(
        [
          'source_id,found,updated,error',
          'shop-1,true,true,',
          'shop-2,false,false,Invalid payload: Nothing fits 2',
          `"'=HYPERLINK(""http://example.com"")",false,true,`,
          '"a ""quoted"", one",true,false,',
          '',
        ].join('\r\n'),
      );
    });

    it('of files name the rows', async () => {
      expect(await (await download(await linkTo('aa_u2'))).text()).toBe(
        [
          'source_id,row,found,updated,error',
          ',1,false,true,',
          'shop-2,2,false,false,Invalid payload: Nothing fits 2',
          '',
        ].join('\r\n'),
      );
    });

    it.each([
      ['without a token', (link: string) => link.split('?')[0]!],
      ['with another token', (link: string) => `${link}A`],
      ['with the token of another task', (link: string) => link.replace('aa_u1', 'aa_u2')],
    ])('are refused %s', async (_, changed) => {
      const response = await download(changed(await linkTo()));
      expect([response.status, ((await response.json()) as { key: string }).key]).toEqual([
        401,
        'unauthorized',
      ]);
    });

    it('are refused an hour after the link was made, and where there is none', async () => {
      const links = running.app.get(ReportLinks, { strict: false });
      const now = Date.now();
      const clock = jest.spyOn(running.app.get(MACHINE_CLOCK, { strict: false }), 'now');
      clock.mockReturnValue(new Date(now));
      const link = links.of({ projectId: project.id, id: 'aa_u1' });
      const none = links.of({ projectId: project.id, id: 'aa_u3' });
      clock.mockReturnValue(new Date(now + 3_590_000));
      expect((await download(link)).status).toBe(200);
      const missing = await download(none);
      expect([missing.status, await missing.json()]).toMatchObject([404, { resource_type: 'task_result' }]);
      clock.mockReturnValue(new Date(now + 3_600_001));
      expect((await download(link)).status).toBe(401);
      clock.mockRestore();
    });
  });

  it('is the same when it is built again from the owner’s log', async () => {
    const before = await rows();
    await database.query(`UPDATE async_actions SET version = 0, async_action = '{}'`);
    await running.consumers.rebuild('operations.async-actions');
    expect(await rows()).toEqual(before);
    expect((await get('/v1/async-actions/aa_c1')).body).toMatchObject({ progress: 100 });
  });
});
