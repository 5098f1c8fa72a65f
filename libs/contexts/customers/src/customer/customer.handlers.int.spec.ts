import type { CustomerInput, CustomerSnapshot } from '@scrip/contracts/customers';
import { poolOf } from '@scrip/event-store';
import { isRefused, newId } from '@scrip/kernel';
import { touchedRows } from '@scrip/testing';
import { type CustomersProcess, requestContext, startCustomers } from '../customers.fixture';
import { storeCountedOrders } from '../summary/order-summary.table';
import { lookupSql, lookupValues } from './customer.reads';

let customers: Awaited<ReturnType<typeof startCustomers>>;
let other: CustomersProcess;

beforeAll(async () => {
  customers = await startCustomers('customers');
  other = await customers.second();
});

afterAll(() => customers.stop());

const resolve = async (
  customer: CustomerInput,
  { store = true, process = customers as CustomersProcess, projectId = 'proj_1' } = {},
): Promise<CustomerSnapshot> => {
  const answer = await process.port.resolve(requestContext(undefined, projectId), {
    customer,
    store,
    new_id: newId('cust_'),
  });
  if (isRefused(answer)) throw new Error(JSON.stringify(answer));
  return answer;
};

const eventsOf = async (id: string): Promise<string[]> =>
  (await customers.eventStore.readStream('customer', 'proj_1', id)).map(({ type }) => type);

/** Counts connections taken from the pool: a query outside of a transaction takes one, a transaction one for all its statements. */
const connectionsDuring = async (work: () => Promise<unknown>): Promise<number> => {
  const connections = jest.spyOn(poolOf(customers.dataSource), 'connect');
  try {
    await work();
    return connections.mock.calls.length;
  } finally {
    connections.mockRestore();
  }
};

describe('upserting (reference 03 §3.2, reference 07 §3)', () => {
  test('creates, merges metadata by key, keeps what was not sent, and tells only of changes', async () => {
    const created = await resolve({ source_id: 'shop-1', name: 'Ada', metadata: { a: 1, b: 1 } });
    expect(created).toMatchObject({ source_id: 'shop-1', name: 'Ada', email: null, updated_at: null });
    const merged = await resolve({
      source_id: 'shop-1',
      email: 'ada@example.com',
      metadata: { b: 2, c: null },
    });
    expect(merged).toMatchObject({ id: created.id, name: 'Ada', email: 'ada@example.com' });
    expect(merged.metadata).toEqual({ a: 1, b: 2, c: null });
    expect(merged.updated_at).toBe('2026-03-31T10:00:00.000Z');
    expect(await resolve({ source_id: 'shop-1', metadata: { c: null, a: 1 } })).toEqual(merged);
    expect(await eventsOf(created.id)).toEqual(['CustomerCreated', 'CustomerUpdated']);
  });

  test('an id wins over a source id, and the source id never changes', async () => {
    const { id } = await resolve({ source_id: 'shop-2' });
    expect(await resolve({ id, source_id: 'shop-3', name: 'Bo' })).toMatchObject({
      id,
      source_id: 'shop-2',
      name: 'Bo',
    });
  });

  test('an unknown id is refused, whether or not it would be stored', async () => {
    for (const store of [true, false]) {
      const request = { customer: { id: 'cust_none', source_id: 'shop-1' }, store, new_id: newId('cust_') };
      expect(await customers.port.resolve(requestContext(), request)).toEqual({
        refused: 'not_found',
        details: 'Cannot find customer with id cust_none',
        resourceId: 'cust_none',
        resourceType: 'customer',
      });
    }
  });

  test('without id and source id everybody is new', async () => {
    const [first, second] = [await resolve({ name: 'Cy' }), await resolve({ name: 'Cy' })];
    expect(first.id).not.toBe(second.id);
  });

  test('a creation repeated under its id is answered as the first was', async () => {
    const request = { customer: { name: 'Di' }, store: true, new_id: newId('cust_') };
    const first = await customers.port.resolve(requestContext(), request);
    expect(await customers.port.resolve(requestContext(), request)).toEqual(first);
    expect(await eventsOf(request.new_id)).toEqual(['CustomerCreated']);
  });

  test('validation overlays what is sent and stores nothing', async () => {
    const stored = await resolve({ source_id: 'shop-4', name: 'Ed', metadata: { a: 1 } });
    expect(
      await resolve({ source_id: 'shop-4', name: 'Eve', metadata: { b: 1 } }, { store: false }),
    ).toMatchObject({
      id: stored.id,
      name: 'Eve',
      metadata: { a: 1, b: 1 },
    });
    expect(await resolve({ source_id: 'nobody', name: 'Flo' }, { store: false })).toMatchObject({
      id: '',
      name: 'Flo',
    });
    expect(await resolve({ source_id: 'shop-4' })).toEqual(stored);
    expect(await resolve({ source_id: 'nobody' }, { store: false })).toMatchObject({ name: null });
  });

  test('where inline customers only identify, they are found or created without their attributes', async () => {
    const context = { ...requestContext(), inlineCustomersOnlyIdentify: true as const };
    const named = (customer: CustomerInput, store: boolean) =>
      customers.port.resolve(context, { customer, store, new_id: newId('cust_') });
    const stored = await resolve({ source_id: 'shop-5', name: 'Gus', metadata: { a: 1 } });
    const claims: CustomerInput = { name: 'Hal', email: 'hal@example.com', metadata: { a: 2, vip: true } };
    for (const store of [true, false]) {
      expect(await named({ source_id: 'shop-5', ...claims }, store)).toEqual(stored);
      expect(await named({ id: stored.id, ...claims }, store)).toEqual(stored);
    }
    expect(await eventsOf(stored.id)).toEqual(['CustomerCreated']);
    const unseen = { source_id: 'shop-6', name: null, email: null, metadata: {} };
    expect(await named({ source_id: 'shop-6', ...claims }, false)).toMatchObject({ ...unseen, id: '' });
    const created = (await named({ source_id: 'shop-6', ...claims }, true)) as CustomerSnapshot;
    expect(created).toMatchObject({ ...unseen, id: expect.stringMatching(/^cust_/) });
    expect(await resolve({ source_id: 'shop-6' })).toEqual(created);
  });

  test('projects do not see each other', async () => {
    const here = await resolve({ source_id: 'shared' });
    const there = await resolve({ source_id: 'shared' }, { projectId: 'proj_2' });
    expect(there.id).not.toBe(here.id);
    expect(await customers.port.loadCustomers(requestContext(), { ids: [here.id, there.id] })).toEqual([
      here,
    ]);
  });

  test('shows customers with their blocks by one query, of their project only and until they are deleted', async () => {
    const customer = await resolve({ source_id: 'with-blocks', name: 'Ada' });
    const { id } = customer;
    await storeCountedOrders(customers.dataSource.manager, [
      {
        project_id: 'proj_1',
        order_id: 'o1',
        version: 1,
        customer_id: id,
        amount: 100,
        ordered_at: '2026-03-01T00:00:00.000Z',
      },
    ]);
    const find = (name: { id: string } | { source_id: string }, projectId?: string) =>
      customers.port.findWithBlocks(requestContext(undefined, projectId), { name });
    const [blocks] = await customers.port.loadBlocks(requestContext(), { ids: [id] });
    expect(blocks).toMatchObject({ summary: { orders: { total_count: 1, total_amount: 100 } } });
    const asked = await connectionsDuring(async () => {
      const both = await Promise.all([find({ id }), find({ source_id: 'with-blocks' })]);
      expect(both).toEqual([
        { customer, blocks },
        { customer, blocks },
      ]);
    });
    expect(asked).toBe(1);
    expect(await find({ source_id: 'unknown' })).toBeNull();
    expect(await find({ id }, 'proj_2')).toBeNull();
    await customers.customers.delete(requestContext(), id);
    expect(await find({ id })).toBeNull();
  });

  test('takes one query for many callers when nothing changes', async () => {
    const { id } = await resolve({ source_id: 'popular' });
    const found = await connectionsDuring(async () => {
      const all = await Promise.all(Array.from({ length: 30 }, () => resolve({ source_id: 'popular' })));
      expect(new Set(all.map((customer) => customer.id))).toEqual(new Set([id]));
    });
    expect(found).toBe(1);
  });

  test('looks for customers in indexes also where a project has a few hundred', async () => {
    const { dataSource } = customers;
    await dataSource.query(
      `INSERT INTO customer_keys (project_id, customer_id, wrapped_key, source_hash)
       SELECT 'proj_few', 'cust_' || n, 'w', 'hash_' || n FROM generate_series(1, 500) n`,
    );
    await dataSource.query('ANALYZE customer_keys');
    const values = lookupValues([
      { projectId: 'proj_few', sourceHash: 'hash_400' },
      { projectId: 'proj_few', id: 'cust_300' },
    ]);
    const { scans, rows } = await touchedRows(dataSource, { text: lookupSql, values }, 'customer_keys');
    expect(new Set(scans)).toEqual(new Set(['customer_keys_pkey', 'customer_keys_source_hash']));
    expect(rows).toBeLessThanOrEqual(values[0]!.length);
  });
});

describe('at the same time (reference 07 §1.7)', () => {
  test('50 upserts of one source id in two processes make one record, and all succeed', async () => {
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        resolve({ source_id: 'rush', metadata: { [`key${n}`]: n } }, { process: n % 2 ? other : customers }),
      ),
    );
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    const [stored] = await customers.port.loadCustomers(requestContext(), { ids: [all[0]!.id] });
    expect(Object.keys(stored!.metadata)).toHaveLength(50);
  });

  test('merges of disjoint metadata keys lose none of them', async () => {
    const { id } = await resolve({ source_id: 'merged' });
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        resolve({ id, metadata: { [`key${n}`]: n } }, { process: n % 2 ? other : customers }),
      ),
    );
    const [stored] = await customers.port.loadCustomers(requestContext(), { ids: [id] });
    expect(stored!.metadata).toEqual(
      Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`key${n}`, n])),
    );
  });
});

test('folding the events gives the stored state', async () => {
  expect(await customers.eventStore.verifyState()).toEqual([]);
});

describe('deleting (reference 07 §3)', () => {
  const handlers = () => customers.customers;

  test('hides a customer from other contexts, unless they ask for deleted ones', async () => {
    const { id } = await resolve({ source_id: 'deleted', name: 'Ivy' });
    expect(await handlers().delete(requestContext(), 'deleted')).toBeNull();
    expect(await customers.port.loadCustomers(requestContext(), { ids: [id] })).toEqual([]);
    expect(await customers.port.loadCustomers(requestContext(), { ids: [id], deleted: true })).toMatchObject([
      { id, name: 'Ivy', source_id: `deleted_deleted${Date.parse('2026-03-31T10:00:00.000Z')}` },
    ]);
    expect(await eventsOf(id)).toEqual(['CustomerCreated', 'CustomerDeleted']);
  });

  test('beside upserts of its source id: every caller succeeds, and the last one is shown', async () => {
    const { id } = await resolve({ source_id: 'contended' });
    const upserts = Array.from({ length: 20 }, (_, n) =>
      resolve(
        { source_id: 'contended', metadata: { [`key${n}`]: n } },
        { process: n % 2 ? other : customers },
      ),
    );
    const deletions = [handlers().delete(requestContext(), id), other.customers.delete(requestContext(), id)];
    const [answers, ended] = await Promise.all([Promise.all(upserts), Promise.all(deletions)]);
    expect(ended.filter((answer) => answer === null)).toHaveLength(1);
    const later = await resolve({ source_id: 'contended' });
    expect(later.id).not.toBe(id);
    const stored = answers.filter((answer) => answer.id === later.id);
    expect(Object.keys(later.metadata)).toHaveLength(stored.length);
  });
});

describe('personal data (reference 06 §9.3)', () => {
  const tables = ['customers', 'events'];
  const rowsOf = async (table: string): Promise<string> => {
    const rows = await customers.dataSource.query<{ row: string }[]>(`SELECT t::text AS row FROM ${table} t`);
    return rows.map(({ row }) => row).join('\n');
  };

  test('is nowhere to be read in the database, but for the source id beside the key', async () => {
    const { id } = await resolve({
      source_id: 'secret-source',
      name: 'Grace Hopper',
      email: 'grace@example.com',
      metadata: { shoe: 'size-42' },
    });
    for (const table of tables) {
      const text = await rowsOf(table);
      expect(text).toContain(id);
      expect(text).not.toMatch(/secret-source|Grace|grace@|size-42/);
    }
    expect(await rowsOf('customer_keys')).toContain('secret-source');
    expect(await rowsOf('customer_keys')).not.toMatch(/Grace|grace@|size-42/);
  });

  test('without its key a customer is gone: not found, not readable, its source id free', async () => {
    const { id } = await resolve({ source_id: 'to-erase', name: 'Hal' });
    await customers.dataSource.query('DELETE FROM customer_keys WHERE customer_id = $1', [id]);
    expect(await customers.port.loadCustomers(requestContext(), { ids: [id] })).toEqual([]);
    expect(
      await customers.port.resolve(requestContext(), { customer: { id }, store: true, new_id: 'cust_x' }),
    ).toMatchObject({
      refused: 'not_found',
    });
    const [created] = await customers.eventStore.readStream('customer', 'proj_1', id);
    const { sealed } = created!.data as { sealed: string };
    const address = { projectId: 'proj_1', customerId: id };
    expect(() => customers.vault.open(sealed, customers.vault.newKey(address).key, address)).toThrow(
      'sealed text',
    );
    expect((await resolve({ source_id: 'to-erase' })).id).not.toBe(id);
  });

  test.each([
    ['a live customer', 'named-live', false, 2],
    ['one that was deleted before, under the source id that it had', 'named-deleted', true, 2],
    ['one without a source id', undefined, false, 1],
  ])('an erasure writes the names of %s for tasks', async (_, source_id, deletedBefore, count) => {
    const { id } = await resolve(source_id === undefined ? { name: 'No source' } : { source_id });
    // As batches of inputs begin: by the clock of the database, whatever that of the process says.
    const databaseNow = async (): Promise<string> =>
      (await customers.dataSource.query<{ now: string }[]>('SELECT now()::text AS now'))[0]!.now;
    const before = await databaseNow();
    if (deletedBefore) await customers.customers.delete(requestContext(), id);
    const between = await databaseNow();
    expect(await customers.erasures.erase(requestContext(), id, 'del_1')).toMatchObject({ customer_id: id });
    // Compared by the database: an erasure may come in the millisecond of the look at the clock.
    const rows = await customers.dataSource.query<{ name: string; isAfter: boolean; isEarly: boolean }[]>(
      `SELECT name, named_until >= date_trunc('milliseconds', $2::timestamptz) AS "isAfter",
         named_until <= $3::timestamptz AS "isEarly"
       FROM erased_names WHERE customer_id = $1`,
      [id, before, between],
    );
    const key = source_id && customers.vault.taskKey('proj_1', source_id);
    expect(rows.map(({ name }) => name).sort()).toEqual([id, ...(key ? [key] : [])].sort());
    expect(rows).toHaveLength(count);
    for (const { isAfter, isEarly } of rows)
      expect({ isAfter, isEarly }).toEqual({ isAfter: true, isEarly: deletedBefore });
    expect(JSON.stringify(rows)).not.toContain('named-');
  });

  test('an erasure by source id that is repeated under its id answers the same, and erases no later customer', async () => {
    const erase = (deletionId: string) =>
      customers.erasures.erase(requestContext(), 'erased-twice', deletionId);
    const { id } = await resolve({ source_id: 'erased-twice' });
    const first = await erase('del_first');
    expect(first).toMatchObject({ customer_id: id, id: 'del_first' });
    expect(await erase('del_first')).toEqual(first);
    expect(await erase('del_second')).toMatchObject({ refused: 'not_found' });
    const later = await resolve({ source_id: 'erased-twice' });
    expect(await erase('del_first')).toEqual(first);
    expect(await eventsOf(later.id)).toEqual(['CustomerCreated']);
    expect(await eventsOf(id)).toEqual(['CustomerCreated', 'CustomerDeleted', 'CustomerErased']);
  });

  test.each([
    ['a live customer', false],
    ['one that was deleted before', true],
  ])('the tracking id of %s names nobody once it is erased', async (_, deletedBefore) => {
    const source_id = `tracked-${deletedBefore}`;
    const byTracking = (store: boolean) =>
      customers.port.resolve(requestContext(), {
        ...{ customer: { source_id, name: 'Again' }, store, new_id: newId('cust_') },
        tracking_id: 'track_1',
      });
    const { id } = await resolve({ source_id });
    expect(await byTracking(true)).toMatchObject({ id });
    if (deletedBefore) await customers.customers.delete(requestContext(), id);
    await customers.erasures.erase(requestContext(), id, 'del_1');
    for (const store of [true, false])
      expect(await byTracking(store)).toMatchObject({
        refused: 'not_found',
        details: 'Cannot find customer with id track_1',
      });
    const stored = await customers.dataSource.query<object[]>(
      'SELECT source_key FROM erased_source_ids WHERE customer_id = $1',
      [id],
    );
    expect(stored).toEqual([{ source_key: customers.vault.taskKey('proj_1', source_id) }]);
    const later = await resolve({ source_id });
    expect(later.id).not.toBe(id);
    expect(await byTracking(true)).toMatchObject({ id: later.id });
    // Twice under one source id.
    expect(await customers.erasures.erase(requestContext(), later.id, 'del_2')).toMatchObject({
      customer_id: later.id,
    });
    expect(await byTracking(true)).toMatchObject({ refused: 'not_found' });
  });

  test('a key opens nothing under another customer’s name', async () => {
    const [ada, bob] = [await resolve({ source_id: 'ada' }), await resolve({ source_id: 'bob' })];
    for (const [table, column, id] of [
      ['customer_keys', 'wrapped_key', 'customer_id'],
      ['customers', 'state', 'id'],
    ]) {
      await customers.dataSource.query(
        `UPDATE ${table} SET ${column} = (SELECT ${column} FROM ${table} WHERE ${id} = $1) WHERE ${id} = $2`,
        [ada.id, bob.id],
      );
    }
    await expect(customers.port.loadCustomers(requestContext(), { ids: [bob.id] })).rejects.toThrow(
      'sealed text',
    );
  });
});
