import { createDatabase } from '@scrip/testing';
import { DataSource, type QueryRunner } from 'typeorm';
import { campaignsContext } from '../index';

const shapeSql = `
  SELECT 'index' AS kind, c.relname::text AS name, pg_get_indexdef(i.indexrelid) AS definition, i.indisvalid AS valid
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE c.relnamespace = 'public'::regnamespace
  UNION ALL
  SELECT 'column', table_name || '.' || column_name, data_type || ' ' || is_nullable || ' ' || coalesce(column_default, ''), true
  FROM information_schema.columns WHERE table_schema = 'public'
  ORDER BY kind, name`;

describe('migrations of campaigns that are no transaction', () => {
  let database: DataSource;
  let runner: QueryRunner;

  beforeAll(async () => {
    database = new DataSource({ type: 'postgres', url: await createDatabase('interrupted') });
    await database.initialize();
    runner = database.createQueryRunner();
  });
  afterAll(async () => {
    await runner?.release();
    await database?.destroy();
  });

  it('end as they do uninterrupted when they are begun again', async () => {
    const again: string[] = [];
    for (const Migration of campaignsContext.migrations) {
      const migration = new Migration();
      await migration.up(runner);
      if (migration.transaction !== false) continue;
      const once = await runner.query(shapeSql);
      // A build that was interrupted leaves an index that is not valid.
      const [built] = await runner.query(
        `SELECT c.relname AS name FROM pg_class c WHERE c.relname IN ('vouchers_publishable', 'vouchers_binned', 'vouchers_own_category', 'campaigns_window', 'publications_failure')
         ORDER BY c.oid DESC LIMIT 1`,
      );
      if (built)
        await runner.query('UPDATE pg_index SET indisvalid = false WHERE indexrelid = to_regclass($1)', [
          built.name,
        ]);
      await migration.up(runner);
      expect(await runner.query(shapeSql)).toEqual(once);
      again.push(Migration.name);
    }
    expect(again).toEqual([
      'DefinitionsHaveRevisions1801200000001',
      'UsedVouchersNameTheirRevision1801200000011',
      'ListsLeaveDeletedOut1801400000012',
      'VouchersArePublishable1801500000007',
      'CategoriesAreReferredTo1801500000008',
      'CampaignsCanBeDeleted1802000000002',
      'WindowsAreListed1802300000014',
      'PublicationsAreFound1802400000021',
    ]);
  });
});
