import type { BinEntriesWanted } from '@scrip/contracts/operations';
import { isRefused } from '@scrip/kernel';
import { createDatabase, touchedRows } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { binEntryListStatement } from './bin-entry-list.query';
import { CreateBinEntries } from './migrations/create-bin-entries.migration';

const entries = 5_000;

let database: DataSource;

beforeAll(async () => {
  database = await new DataSource({ type: 'postgres', url: await createDatabase('bin_plans') }).initialize();
  const runner = database.createQueryRunner();
  await new CreateBinEntries().up(runner);
  await runner.query(`
    INSERT INTO bin_entries (project_id, id, created_at, resource_id, resource_type, resource_name)
      SELECT project, 'tbe_' || lpad(n::text, 6, '0'), '2026-03-31T10:00:00Z', 'prod_' || n,
        CASE WHEN n % 500 = 0 THEN 'sku' ELSE 'product' END, 'Name ' || n
      FROM generate_series(1, ${entries}) n, unnest(ARRAY['proj_1', 'proj_2', 'proj_3']) project`);
  await runner.query('VACUUM ANALYZE bin_entries');
  await runner.release();
});
afterAll(() => database?.destroy());

const touchedBy = async (wanted: Partial<BinEntriesWanted>) => {
  const statement = binEntryListStatement('proj_1', {
    limit: 11,
    order: 'id',
    after: null,
    filters: null,
    ...wanted,
  });
  if (isRefused(statement)) throw new Error(statement.details);
  return touchedRows(database, statement, 'bin_entries');
};
const by = (field: string, operator: string, value: string): Partial<BinEntriesWanted> => ({
  filters: { junction: 'and', fields: { [field]: { [operator]: [value] } } },
});

it.each<[string, Partial<BinEntriesWanted>, string]>([
  ['nothing', {}, 'bin_entries_pkey'],
  ['the newest', { order: '-id' }, 'bin_entries_pkey'],
  ['what follows an entry', { after: 'tbe_002500' }, 'bin_entries_pkey'],
  ['what precedes an entry', { after: 'tbe_002500', order: '-id' }, 'bin_entries_pkey'],
  ['an entry', by('id', '$is', 'tbe_004321'), 'bin_entries_pkey'],
  ['a record', by('resource_id', '$is', 'prod_4321'), 'bin_entries_resource'],
  ['a name', by('resource_name', '$is', 'Name 4321'), 'bin_entries_name'],
  ['a type', by('resource_type', '$is', 'sku'), 'bin_entries_type'],
])('the bin finds %s by an index, and reads no more than it shows', async (_, wanted, index) => {
  const { scans, rows } = await touchedBy(wanted);
  expect(scans).toEqual([index]);
  expect(rows).toBeLessThanOrEqual(11);
});
