import { createDatabase, waitUntil } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { idempotencyMigrations } from '../migrations';
import { eraseFromAnswers, markErasedInAnswers } from './answers-erasure';
import type { StoredAnswer } from './idempotency-row';
import { type HeldRow, IdempotencyStore } from './idempotency-store';

const projectId = 'proj_1';
const customer = (id: string) => ({ id, name: `Name of ${id}`, metadata: { a: 1 }, object: 'customer' });
const erased = (id: string) => ({ id, metadata: {}, object: 'customer' });
const answer = (...ids: string[]): StoredAnswer => ({ status: 200, body: { list: ids.map(customer) } });

describe('answers kept for repetitions, and customers that are deleted permanently', () => {
  let source: DataSource;
  let store: IdempotencyStore;

  beforeAll(async () => {
    source = new DataSource({
      type: 'postgres',
      url: await createDatabase('answers'),
      migrations: idempotencyMigrations,
      migrationsRun: true,
    });
    await source.initialize();
    store = new IdempotencyStore(source);
  });
  afterEach(() => source.query('TRUNCATE idempotency_keys, idempotency_erased'));
  afterAll(() => source?.destroy());

  const held = async (key: string, project = projectId): Promise<HeldRow> => {
    const taken = await store.take({ projectId: project, key, fingerprint: 'f' });
    if (taken.kind !== 'held') throw new Error(taken.kind);
    return taken.row;
  };
  const stored = async (key: string, project = projectId): Promise<unknown> => {
    const taken = await store.take({ projectId: project, key, fingerprint: 'f' });
    return taken.kind === 'answered' ? taken.answer.body : taken.kind;
  };
  const erase = async (...ids: string[]): Promise<void> => {
    const gone = ids.map((customerId) => ({ projectId, customerId }));
    await markErasedInAnswers(source, gone);
    await source.transaction((manager) => eraseFromAnswers(manager, gone));
  };

  it('lose the person, and no other of the answer, the project or another one', async () => {
    await store.complete(await held('k1'), answer('cust_1', 'cust_2'));
    await store.complete(await held('k2'), answer('cust_2'));
    await store.complete(await held('k1', 'proj_2'), answer('cust_1'));
    await erase('cust_1');
    expect(await stored('k1')).toEqual({ list: [erased('cust_1'), customer('cust_2')] });
    expect(await stored('k2')).toEqual({ list: [customer('cust_2')] });
    expect(await stored('k1', 'proj_2')).toEqual({ list: [customer('cust_1')] });
  });

  it('are found in hundreds, by an index', async () => {
    await source.query(
      `INSERT INTO idempotency_keys (project_id, key, fingerprint, command_id, lease_id, lease_until, created_at, status, body, customers)
       SELECT $1, 'k' || n, 'f', gen_random_uuid(), gen_random_uuid(), now(), now(), 200,
         '{"customer":{"id":"cust_' || n % 100 || '","name":"Ada","object":"customer"}}', ARRAY['cust_' || n % 100]
       FROM generate_series(1, 20000) n`,
      [projectId],
    );
    await source.query('ANALYZE idempotency_keys');
    const plan = await source.query<Record<string, string>[]>(
      `EXPLAIN SELECT project_id, key FROM idempotency_keys WHERE customers @> ARRAY['cust_7']`,
    );
    expect(JSON.stringify(plan)).toContain('idempotency_keys_customers');
    await erase('cust_7');
    const [left] = await source.query<{ n: number }[]>(
      `SELECT count(*)::int AS n FROM idempotency_keys WHERE body LIKE '%Ada%'`,
    );
    expect(left?.n).toBe(19_800);
  });

  it('that come after the deletion are stored without the person', async () => {
    const [late, other] = [await held('late'), await held('other')];
    await erase('cust_1');
    await store.complete(late, answer('cust_1', 'cust_2'));
    await store.complete(other, answer('cust_2'));
    expect(await stored('late')).toEqual({ list: [erased('cust_1'), customer('cust_2')] });
    expect(await stored('other')).toEqual({ list: [customer('cust_2')] });
  });

  it('that come after it are still stored for one execution only', async () => {
    const row = await held('late');
    await erase('cust_1');
    await store.complete(row, answer('cust_1'));
    expect(await row.write(source, answer('cust_1', 'cust_2'))).toBe(false);
    expect(await stored('late')).toEqual({ list: [erased('cust_1')] });
  });

  it('lose also who is marked while another one is taken out of them', async () => {
    const row = await held('both');
    await erase('cust_1');
    const meanwhile = {
      query: async (sql: string, parameters: unknown[]) => {
        const answered: unknown = await source.query(sql, parameters);
        if (sql.startsWith('SELECT DISTINCT'))
          await markErasedInAnswers(source, [{ projectId, customerId: 'cust_2' }]);
        return answered;
      },
    } as unknown as DataSource;
    expect(await row.write(meanwhile, answer('cust_1', 'cust_2'))).toBe(true);
    expect(await stored('both')).toEqual({ list: [erased('cust_1'), erased('cust_2')] });
  });

  it('that are being stored while it marks are waited for', async () => {
    const row = await held('under way');
    const runner = source.createQueryRunner();
    await runner.startTransaction();
    expect(await row.completeInTransaction(runner.manager, answer('cust_1'))).toBe(true);
    let isErased = false;
    const erasing = erase('cust_1').then(() => (isErased = true));
    await waitUntil(
      async () => (await source.query<unknown[]>('SELECT 1 FROM idempotency_erased')).length > 0,
      {
        what: 'the mark',
      },
    );
    expect(isErased).toBe(false);
    await runner.commitTransaction();
    await runner.release();
    await erasing;
    expect(await stored('under way')).toEqual({ list: [erased('cust_1')] });
  });

  it('keep the marks for as long as an answer may need them', async () => {
    await erase('cust_1', 'cust_2');
    await source.query(
      `UPDATE idempotency_erased SET erased_at = now() - interval '24 h' WHERE customer_id = 'cust_1'`,
    );
    await store.prune();
    expect(await source.query('SELECT customer_id FROM idempotency_erased')).toEqual([
      { customer_id: 'cust_2' },
    ]);
  });
});
