import { waitUntil } from '@scrip/testing';
import type { DataSource, EntityManager } from 'typeorm';
import { bootCustomers, type CustomersOverHttp } from '../customers-http.fixture';
import { removeRetests, type Retest, retestsOf, takeRetests } from './retest.table';
import { Retests } from './retests';

const project_id = 'proj_noted';
let fixture: CustomersOverHttp;
let database: DataSource;

beforeAll(async () => {
  fixture = await bootCustomers('retests');
  ({ database } = fixture);
  // Only this spec takes what is noted.
  await fixture.running.app.get(Retests, { strict: false }).onModuleDestroy();
  const filter = { junction: 'and', name: { conditions: { $is: ['Ada'] } } };
  const created = await fixture.call(
    'POST',
    '/v1/segments',
    { name: 'Adas', type: 'auto-update', filter },
    project_id,
  );
  expect(created.status).toBe(200);
});
afterEach(() => database.query('TRUNCATE segment_retests'));
afterAll(() => fixture?.running.close());

const note = (manager: EntityManager, customers: readonly string[]): Promise<unknown> =>
  manager.query(
    `WITH changed AS (SELECT $1::text AS project_id, unnest($2::text[]) AS customer_id) ${retestsOf('changed')}`,
    [project_id, customers],
  );
const noted = async (): Promise<string[]> =>
  (
    await database.query<Retest[]>('SELECT customer_id FROM segment_retests ORDER BY customer_id COLLATE "C"')
  ).map(({ customer_id }) => customer_id);

it('what was tested is removed, but not what changed since', async () => {
  await note(database.manager, ['cust_a', 'cust_b']);
  const tested = await takeRetests(database.manager);
  await note(database.manager, ['cust_b']);
  await removeRetests(database.manager, tested);
  expect(await noted()).toEqual(['cust_b']);
});

it('a note that another transaction holds is left, and is waited for by none', async () => {
  await note(database.manager, ['cust_b']);
  await note(database.manager, ['cust_a']);
  // In the order of the changes, as they are taken: the other way round than they are noted.
  const tested = await takeRetests(database.manager);
  await database.transaction(async (manager) => {
    await note(manager, ['cust_a']);
    const removal = removeRetests(database.manager, tested);
    await waitUntil(
      async () => (await database.query<object[]>(blocked)).length > 0 || (await noted()).length === 1,
      { what: 'the removal to be done, or to wait' },
    );
    await note(manager, ['cust_b']);
    await removal;
  });
  expect(await noted()).toEqual(['cust_a', 'cust_b']);
});

const blocked = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

it('two that note and two that take never wait in a circle', async () => {
  const customers = Array.from({ length: 300 }, (_, n) => `cust_${n}`);
  const [rounds, errors] = [40, [] as string[]];
  const often = async (work: (round: number) => Promise<unknown>): Promise<void> => {
    for (let round = 0; round < rounds; round += 1)
      await work(round).catch((error: unknown) => errors.push(String(error)));
  };
  const write = (of: number) => (round: number) =>
    database.transaction((manager) =>
      note(
        manager,
        customers.filter((_, n) => (n + round + of) % 3 > 0),
      ),
    );
  const take = async (): Promise<void> =>
    removeRetests(database.manager, await takeRetests(database.manager));
  await Promise.all([often(write(0)), often(write(1)), often(take), often(take)]);
  expect(errors).toEqual([]);
});
