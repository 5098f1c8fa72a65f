import { type Fault, internalContext, Secret } from '@scrip/kernel';
import { type SqlStatement, StatementValues } from '@scrip/list-query';
import { createDatabase, projectOf, waitUntil } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { readSettings } from '../config/scrip-config';
import { contextDataSourceOptions } from '../context/context-data-source';
import { ListReader } from './list-reader';

const statementTimeoutMs = 600_000;
const [one, other] = ['proj_1', 'proj_2'].map((id) => projectOf({ id }));
const asked = (text: string, ...given: unknown[]): SqlStatement => ({ text, values: given });

describe('the lists of a context', () => {
  let url: string;
  let watching: DataSource;
  let dataSource: DataSource;
  let lists: ListReader;

  const opened = async (poolSize: number): Promise<ListReader> => {
    const settings = readSettings({
      SCRIP_DATABASE_POOL_SIZE: '10',
      SCRIP_STATEMENT_TIMEOUT_MS: String(statementTimeoutMs),
    });
    const config = {
      ...settings,
      database: { ...settings.database, poolSize },
      databaseUrl: new Secret(url),
    };
    dataSource = await new DataSource(contextDataSourceOptions(config, 'campaigns', [])).initialize();
    return new ListReader(dataSource, config.database);
  };

  beforeAll(async () => {
    url = await createDatabase('lists');
    watching = await new DataSource({ type: 'postgres', url }).initialize();
  });
  beforeEach(async () => {
    lists = await opened(10);
  });
  afterEach(() => dataSource.destroy());
  afterAll(() => watching.destroy());

  const caller = (project = one!, deadlineAt?: number) => ({
    ...internalContext(project),
    ...(deadlineAt === undefined ? {} : { deadlineAt }),
  });
  const running = async (text: string): Promise<number> => {
    const [row] = await watching.query(
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'active' AND query LIKE $1 || '%'`,
      [text],
    );
    return row.count;
  };

  it('of one project leave connections to the commands and the lists of another one', async () => {
    await watching.query('CREATE TABLE held (id int)');
    const holder = watching.createQueryRunner();
    await holder.startTransaction();
    await holder.query('LOCK TABLE held IN ACCESS EXCLUSIVE MODE');
    const slow = Array.from({ length: 40 }, () =>
      lists.rows(caller(), asked('SELECT id, $1::int FROM public.held', 1)),
    );
    await waitUntil(async () => (await running('SELECT id, $1::int FROM public.held')) === 2, {
      what: 'two slow lists',
    });
    expect(lists.turns.running).toBe(2);
    expect(lists.turns.waiting + lists.turns.overloaded).toBe(38);
    await dataSource.transaction((manager) => manager.query('CREATE TABLE public.written (id int)'));
    expect(await lists.rows(caller(other), asked('SELECT $1::int AS id', 7))).toEqual([{ id: 7 }]);
    expect(await running('SELECT id, $1::int FROM public.held')).toBe(2);
    await holder.rollbackTransaction();
    await holder.release();
    const ends = await Promise.allSettled(slow);
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [(end.reason as Fault).kind] : []));
    expect(refused.every((kind) => kind === 'overloaded')).toBe(true);
    await waitUntil(() => lists.turns.running === 0, { what: 'the last turn to end' });
  });

  it('end on the server when the caller no longer waits', async () => {
    const slow = lists.rows(caller(one, Date.now() + 500), asked('SELECT pg_sleep($1)', 3_600));
    await expect(slow).rejects.toMatchObject({ name: 'Fault', kind: 'deadline' });
    await waitUntil(async () => (await running('SELECT pg_sleep($1)')) === 0, { what: 'the server to stop' });
  });

  it('have one deadline for both of their statements', async () => {
    const statements = {
      page: asked('SELECT pg_sleep($1), 1 AS one', 0.2),
      count: asked(`SELECT setting AS total FROM pg_settings WHERE name = $1`, 'statement_timeout'),
      limit: 1,
      offset: 0,
    };
    const { total: countTimeoutMs } = await lists.page(caller(one, Date.now() + 60_000), statements);
    expect(countTimeoutMs).toBeLessThanOrEqual(59_800);
    const { total: longest } = await lists.page(caller(), statements);
    expect(longest).toBe(statementTimeoutMs);
  });

  it('do not begin after the deadline', async () => {
    const late = lists.rows(caller(one, Date.now() - 1), asked('SELECT $1::int', 1));
    await expect(late).rejects.toMatchObject({ kind: 'deadline' });
    expect(lists.turns.running).toBe(0);
  });

  it('leave a connection as it was, also after a failure', async () => {
    await dataSource.destroy();
    lists = await opened(1);
    const timeoutNow = async () => (await dataSource.query('SHOW statement_timeout'))[0].statement_timeout;
    const before = await timeoutNow();
    await lists.rows(caller(one, Date.now() + 60_000), asked('SELECT $1::int', 1));
    expect(await timeoutNow()).toBe(before);
    const failing = lists.rows(caller(one, Date.now() + 60_000), asked('SELECT 1 / $1::int', 0));
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(await timeoutNow()).toBe(before);
    await dataSource.query('CREATE TABLE public.writable (id int)');
  });

  it('are not prepared, however often they run', async () => {
    await dataSource.destroy();
    lists = await opened(1);
    const values = new StatementValues();
    const text = `SELECT ${values.add(5)}::int AS five`;
    for (let run = 0; run < 20; run += 1) await lists.rows(caller(), { text, values: values.all });
    expect(await dataSource.query('SELECT statement FROM pg_prepared_statements')).toEqual([]);
  });

  describe('count', () => {
    const statements = (rows: number, offset = 0) => ({
      page: asked('SELECT n FROM generate_series(1, $1::int) n', rows),
      count: asked(`SELECT 10000 AS total WHERE $1::text <> ''`, 'counted'),
      limit: 3,
      offset,
    });

    it('what the list counts where a page begins behind a cursor, also where it is the last one', async () => {
      const behind = { ...statements(1), behindCursor: true };
      expect((await lists.page(caller(), behind)).total).toBe(10_000);
    });

    test.each([
      [0, 0, 0],
      [2, 0, 2],
      [3, 0, 10_000],
      [2, 30, 32],
      [0, 30, 10_000],
    ])('%i rows behind the first %i as %i', async (rows, offset, total) => {
      const found = await lists.page(caller(), statements(rows, offset));
      expect([found.rows.length, found.total]).toEqual([rows, total]);
    });
  });
});
