import { readInput } from '@scrip/edge';
import { isRefused } from '@scrip/kernel';
import { createDatabase, type TouchedRows, touchedRows } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { qualificationMigrations } from '../migrations';
import { ListRedemptionsQuery } from './redemption-list.query';
import { listStatements } from './redemption-list.statements';

const entries = 20_000;
const kinds = { redemptions: 'redemption', rollbacks: 'redemption_rollback' };

const filled = (table: keyof typeof kinds, more: string, values: string): string => `
  INSERT INTO ${table} (project_id, id, state, created_at, object, result, customer_id, tracking_id, voucher_code, campaign_name,
      related_object_id, related_object_parent_id, parent_redemption_id, failure_code, user_login${more})
    SELECT 'proj_1', 'r_' || lpad(n::text, 6, '0'), '{}', '2026-01-01'::timestamptz + n * interval '1 minute',
      '${kinds[table]}', CASE WHEN n % 2000 = 1 THEN 'FAILURE' ELSE 'SUCCESS' END, 'cust_' || n % 2000, 'track_' || n,
      'CODE' || n % 2000, 'Campaign ' || n % 2000, 'v_' || n % 2000, 'camp_' || n % 2000, 'r_parent' || n % 2000,
      CASE WHEN n % 2000 = 1 THEN 'quantity_exceeded' END, CASE WHEN n % 2000 = 2 THEN 'anna' END${values}
    FROM generate_series(1, ${entries}) n;`;

let database: DataSource;

beforeAll(async () => {
  database = new DataSource({ type: 'postgres', url: await createDatabase('redemption_plans') });
  await database.initialize();
  // What a page reads of the log.
  await database.query(`CREATE TABLE events (project_id text, aggregate text, stream_id text, version bigint, recorded_at timestamptz,
    type text, schema_version int, data json)`);
  const runner = database.createQueryRunner();
  for (const Migration of qualificationMigrations) await new Migration().up(runner);
  await runner.query(filled('redemptions', ', version, epoch, last_ord', `, 1, 1, '1'::xid8`));
  await runner.query(filled('rollbacks', '', ''));
  await runner.query('ANALYZE redemptions, rollbacks');
  await runner.release();
});
afterAll(() => database?.destroy());

const touchedBy = async (query: object, customerId: string | null = null): Promise<TouchedRows[]> => {
  const { result, ...read } = readInput(ListRedemptionsQuery, query, 'query');
  const results = result === undefined ? null : [result as string];
  const statements = listStatements('proj_1', read as ListRedemptionsQuery, { results, customerId });
  if (isRefused(statements)) throw new Error(statements.details);
  const touched: TouchedRows[] = [];
  for (const statement of [statements.page, statements.count])
    for (const table of Object.keys(kinds)) touched.push(await touchedRows(database, statement, table));
  return touched;
};

const by = (field: string, value: unknown) => ({ filters: { [field]: { conditions: { $is: value } } } });

describe('the list of redemptions', () => {
  it.each<[string, object, string[]]>([
    ['a voucher', by('voucher_code', 'CODE7'), ['of_voucher']],
    ['a redeemable', by('related_object_id', 'v_7'), ['of_object']],
    ['a campaign by id', by('related_object_parent_id', 'camp_7'), ['of_parent_object']],
    ['a parent', by('parent_redemption_id', 'r_parent7'), ['of_parent', 'of_redemption']],
    ['a failure', by('failure_code', 'quantity_exceeded'), ['of_failure', 'failed']],
    ['failures', by('result', 'FAILURE'), ['failed']],
    ['the parameter result', { result: 'FAILURE' }, ['failed']],
    ['a customer', by('customer_id', 'cust_7'), ['of_customer']],
    ['a campaign', by('campaign_name', 'Campaign 7'), ['of_campaign']],
    ['the parameter campaign', { campaign: 'Campaign 7' }, ['of_campaign']],
    ['a user', by('user_login', 'anna'), ['of_user']],
    ['the time', { created_at: { before: '2026-01-01T00:20:00Z' } }, ['newest']],
  ])('finds %s by an index, and reads no more than it shows', async (_, query, indexes) => {
    const allowed = Object.keys(kinds).flatMap((table) => indexes.map((index) => `${table}_${index}`));
    for (const { scans, rows } of await touchedBy(query)) {
      expect(scans.length).toBeGreaterThan(0);
      expect(allowed).toEqual(expect.arrayContaining(scans));
      expect(rows).toBeLessThanOrEqual(20);
    }
  });

  it('finds the redemptions of the customer who is named', async () => {
    for (const { scans } of await touchedBy({}, 'cust_7')) expect(scans[0]).toMatch(/_of_customer$/);
  });

  it('finds the redemptions of a voucher by its id', async () => {
    const statements = listStatements('proj_1', readInput(ListRedemptionsQuery, {}, 'query'), {
      results: null,
      customerId: null,
      objectId: 'v_7',
    });
    if (isRefused(statements)) throw new Error(statements.details);
    for (const statement of [statements.page, statements.count])
      for (const table of Object.keys(kinds)) {
        const { scans, rows } = await touchedRows(database, statement, table);
        expect(scans).toEqual([`${table}_of_object`]);
        expect(rows).toBeLessThanOrEqual(20);
      }
  });

  it('looks up for each row that it reads whether what was redeemed is deleted, by key', async () => {
    await database.query(`INSERT INTO deleted_objects (project_id, object_id)
      SELECT 'proj_1', 'v_other_' || n FROM generate_series(1, 20000) n`);
    await database.query('ANALYZE deleted_objects');
    const query = readInput(ListRedemptionsQuery, {}, 'query');
    const statements = listStatements('proj_1', query, { results: null, customerId: null });
    if (isRefused(statements)) throw new Error(statements.details);
    const { scans, rows } = await touchedRows(database, statements.page, 'deleted_objects');
    expect(new Set(scans)).toEqual(new Set(['deleted_objects_pkey']));
    expect(rows).toBe(0);
  });

  it('reads nothing of the table that has no entries of the kind asked for', async () => {
    const touched = await touchedBy(by('object', 'redemption_rollback'));
    expect(touched.map(({ scans }) => scans.length > 0)).toEqual([false, true, false, true]);
    expect(touched[1]!.rows).toBeLessThanOrEqual(20);
  });

  it.each<[string, object]>([
    ['nothing', {}],
    ['successes', by('result', 'SUCCESS')],
    ['what is not a voucher', { filters: { voucher_code: { conditions: { $is_not: 'CODE7' } } } }],
  ])('reads as many as it shows where many fit: %s', async (_, query) => {
    const [ofPage, ofOther, ...counts] = await touchedBy(query);
    for (const { rows } of [ofPage!, ofOther!]) expect(rows).toBeLessThanOrEqual(30);
    for (const { rows } of counts) expect(rows).toBeLessThanOrEqual(10_020);
  });

  it.each(['-created_at', 'created_at'])(
    'goes on behind an entry of either table by an index: %s',
    async (order) => {
      const query = readInput(ListRedemptionsQuery, { order }, 'query');
      const cursor = { id: 'r_010000', created_at: '2026-01-07 22:40:00+00' };
      const statements = listStatements('proj_1', query, { results: null, customerId: null, cursor });
      if (isRefused(statements)) throw new Error(statements.details);
      for (const table of Object.keys(kinds)) {
        const { scans, rows } = await touchedRows(database, statements.page, table);
        expect(scans).toContain(`${table}_newest`);
        expect(scans).not.toContain('Seq Scan');
        expect(rows).toBeLessThanOrEqual(30);
      }
    },
  );
});
