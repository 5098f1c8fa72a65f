import type { ExportParameters, NotedCall } from '@scrip/contracts/operations';
import { addDays, calendarDayOf, isRefused, type ProjectContext } from '@scrip/kernel';
import type { SqlStatement } from '@scrip/list-query';
import { createDatabase, projectOf, touchedRows } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { CreateApiLog1803200000151 } from '../migrations/create-api-log.migration';
import { ApiLogExport } from './api-log.export';
import { ApiLogPartitions } from './api-log-partitions';
import { ApiLogTable } from './api-log.table';

const project = projectOf();
const other = { ...project, id: 'proj_other' };
const on = { apiLog: { isOn: true, days: 30 } };
const today = calendarDayOf(new Date(), 'UTC');
// It stays the same day, and seconds around it do, also where midnight comes meanwhile.
const noon = new Date(`${today}T12:00:00Z`);
const clock = { now: () => noon };
const hourMs = 3_600_000;
const fromNoon = (ms: number): Date => new Date(noon.getTime() + ms);
const inTime = (days: number): Date => fromNoon(days * 24 * hourMs);

let database: DataSource;
let table: ApiLogTable;
let made = 0;

beforeAll(async () => {
  database = new DataSource({ type: 'postgres', url: await createDatabase('api_log') });
  await database.initialize();
  const runner = database.createQueryRunner();
  await new CreateApiLog1803200000151().up(runner);
  await runner.release();
  table = new ApiLogTable(database);
});
afterAll(() => database?.destroy());

const partitions = async (): Promise<string[]> =>
  (
    await database.query<{ name: string }[]>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'api_log'::regclass ORDER BY 1`,
    )
  ).map(({ name }) => name);
const partitionOf = (day: string): string => `api_log_${day.replaceAll('-', '_')}`;
const maintain = (config: typeof on, now = noon): Promise<void> =>
  new ApiLogPartitions(database, config).maintain(now);

const callOf = (fields: Partial<NotedCall> = {}): NotedCall => ({
  id: `log_${(made += 1)}`,
  project_id: project.id,
  created_at: noon.toISOString(),
  ...{ status: 200, request_id: `v-${made}`, channel: 'API', method: 'GET', endpoint: '/v1/vouchers' },
  ...{ url: '/v1/vouchers?limit=5', app_id: 'eu1-app', client_app_id: null },
  ...fields,
});

const statementOf = (
  filters: ExportParameters['filters']['fields'] = {},
  order = 'created_at',
  of: ProjectContext = project,
): SqlStatement => {
  const statement = new ApiLogExport(on, clock).statement(
    { project: of },
    { order, filters: { junction: 'and', fields: filters } },
  );
  if (isRefused(statement)) throw new Error(statement.details);
  return statement;
};
const exported = async (...of: Parameters<typeof statementOf>): Promise<any[]> => {
  const { text, values } = statementOf(...of);
  return database.query(text, values);
};
const idsOf = async (...of: Parameters<typeof statementOf>): Promise<string[]> =>
  (await exported(...of)).map(({ id }: { id: string }) => id);

describe('the days of the log of API calls', () => {
  it('are made from yesterday to the day after tomorrow, once', async () => {
    await maintain(on);
    await maintain(on);
    expect(await partitions()).toEqual([-1, 0, 1, 2].map((ahead) => partitionOf(addDays(today, ahead))));
  });

  it('are dropped with their calls when they are older than the configuration says', async () => {
    await table.add([callOf()]);
    await maintain({ apiLog: { isOn: true, days: 2 } }, inTime(2));
    expect(await partitions()).toEqual([0, 1, 2, 3, 4].map((ahead) => partitionOf(addDays(today, ahead))));
    await maintain({ apiLog: { isOn: true, days: 2 } }, inTime(3));
    expect((await partitions())[0]).toBe(partitionOf(addDays(today, 1)));
    expect(await exported()).toEqual([]);
  });

  it('are dropped, and none is made, where the log was switched off', async () => {
    await maintain({ apiLog: { isOn: false, days: 30 } }, inTime(33));
    expect(await partitions()).toEqual([
      partitionOf(addDays(today, 3)),
      partitionOf(addDays(today, 4)),
      partitionOf(addDays(today, 5)),
    ]);
    await maintain({ apiLog: { isOn: false, days: 30 } }, inTime(60));
    expect(await partitions()).toEqual([]);
  });

  it('are made beside an export that reads the log, and dropped after it', async () => {
    await maintain(on, inTime(-40));
    const reader = database.createQueryRunner();
    await reader.startTransaction();
    await reader.query('SELECT count(*) FROM api_log');
    await expect(maintain(on)).rejects.toThrow('lock timeout');
    expect(await partitions()).toEqual(
      [-41, -40, -39, -38, -1, 0, 1, 2].map((ahead) => partitionOf(addDays(today, ahead))),
    );
    await reader.rollbackTransaction();
    await reader.release();
    await maintain(on);
    expect(await partitions()).toHaveLength(4);
  });
});

describe('calls in the log', () => {
  beforeEach(async () => {
    await maintain(on);
    await database.query('TRUNCATE api_log');
  });

  it('are stored together, and once however often they come', async () => {
    const calls = [callOf(), callOf({ status: null, endpoint: null, url: '/v1/***' })];
    expect(await table.add(calls)).toBe(2);
    expect(await table.add([...calls, callOf()])).toBe(1);
    expect(await exported()).toMatchObject(
      [
        { ...calls[0], project_id: undefined, created_at: new Date(calls[0]!.created_at) },
        { status: null, endpoint: null, url: '/v1/***' },
        {},
      ].map(({ project_id: _, ...fields }: any) => fields),
    );
  });

  it('are left out where their time is more than a day away, and take no others with them', async () => {
    const at = (hours: number): string => new Date(Date.now() + hours * hourMs).toISOString();
    const calls = [-25, -23, 23, 25].map((hours) => callOf({ created_at: at(hours) }));
    expect(await table.add(calls)).toBe(2);
    expect(await idsOf()).toEqual([calls[1]!.id, calls[2]!.id]);
  });

  it('are found by each filter, in both orders, and never in another project', async () => {
    const at = (seconds: number): string => fromNoon(seconds * 1_000).toISOString();
    const calls = [
      callOf({ id: 'log_a', created_at: at(-40) }),
      callOf({ id: 'log_b', created_at: at(-30), status: 404, app_id: 'eu1-second' }),
      callOf({
        id: 'log_c',
        created_at: at(-20),
        channel: 'CLIENT_API',
        app_id: null,
        client_app_id: 'eu1-web',
      }),
      callOf({ id: 'log_d', created_at: at(-20), status: null }),
      callOf({ id: 'log_x', created_at: at(-20), project_id: other.id }),
    ];
    await table.add(calls);
    expect(await idsOf()).toEqual(['log_a', 'log_b', 'log_c', 'log_d']);
    expect(await idsOf({}, '-created_at')).toEqual(['log_d', 'log_c', 'log_b', 'log_a']);
    expect(await idsOf({}, 'created_at', other)).toEqual(['log_x']);
    expect(await idsOf({ status: { $is: [404] } })).toEqual(['log_b']);
    expect(await idsOf({ status: { $less_than: [400] } })).toEqual(['log_a', 'log_c']);
    expect(await idsOf({ channel: { $is: ['CLIENT_API'] } })).toEqual(['log_c']);
    expect(await idsOf({ app_id: { $in: ['eu1-second'] } })).toEqual(['log_b']);
    expect(await idsOf({ client_app_id: { $is: ['eu1-web'] } })).toEqual(['log_c']);
    expect(await idsOf({ created_at: { $after: [at(-35)], $before: [at(-25)] } })).toEqual(['log_b']);
    expect(await idsOf({ created_at: { $less_than_ago: [1] } })).toHaveLength(4);
  });

  it('are not exported where the log is off', () => {
    const off = new ApiLogExport({ apiLog: { isOn: false, days: 30 } }, clock);
    const parameters = { order: 'created_at', filters: { junction: 'and', fields: {} } } as const;
    expect(off.statement({ project }, parameters)).toEqual({
      refused: 'invalid_payload',
      details: expect.stringContaining('this server keeps no log of API calls') as string,
    });
  });
});

describe('an export of the log', () => {
  const calls = 20_000;

  beforeAll(async () => {
    await maintain(on);
    await database.query('TRUNCATE api_log');
    await database.query(
      `INSERT INTO api_log (project_id, created_at, id, status, request_id, channel, method, endpoint, url, app_id)
       SELECT CASE WHEN n % 20 = 0 THEN $1 ELSE 'proj_other_' || n % 50 END, $2::timestamptz + n * interval '4 seconds', 'log_' || n,
         CASE WHEN n % 400 = 0 THEN 500 ELSE 200 END, 'v-' || n, 'API', 'GET', '/v1/vouchers', '/v1/vouchers', 'eu1-app'
       FROM generate_series(1, ${calls}) n`,
      [project.id, `${today}T00:00:00Z`],
    );
    await database.query('VACUUM ANALYZE api_log');
  });

  const day = partitionOf(today);

  it.each<[string, ExportParameters['filters']['fields'], number]>([
    ['everything', {}, 1_000],
    ['a time', { created_at: { $after: [`${today}T10:00:00Z`], $before: [`${today}T11:00:00Z`] } }, 46],
    ['a status', { status: { $is: [500] } }, 1_000],
    ['a channel', { channel: { $is: ['CLIENT_API'] } }, 1_000],
    ['a key', { app_id: { $is: ['eu1-app'] } }, 1_000],
    ['a client key', { client_app_id: { $is: ['eu1-web'] } }, 1_000],
  ])('of %s finds the calls of the project by the key, and reads no others', async (_, filters, rowsMax) => {
    for (const order of ['created_at', '-created_at']) {
      const statement = statementOf(filters, order);
      const { scans, rows } = await touchedRows(database, statement, day);
      expect(scans).toEqual([`${day}_pkey`]);
      expect(rows).toBeLessThanOrEqual(rowsMax);
    }
  });
});
