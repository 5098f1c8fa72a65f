import { readInput } from '@scrip/edge';
import { isRefused } from '@scrip/kernel';
import { createDatabase, touchedRows } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { campaignsContext } from '../index';
import { TemplateListQuery, templateListStatements } from './template-list.query';

let database: DataSource;

beforeAll(async () => {
  database = new DataSource({ type: 'postgres', url: await createDatabase('template_plans') });
  await database.initialize();
  const runner = database.createQueryRunner();
  for (const Migration of campaignsContext.migrations) await new Migration().up(runner);
  await runner.query(`
    INSERT INTO campaign_templates (project_id, id, version, epoch, last_ord, state, name, campaign_type, deleted)
      SELECT 'proj_1', 'camp_tpl_' || lpad(n::text, 5, '0'), 1, 1, '1'::xid8, '{}', 'Template ' || n,
        CASE WHEN n % 1000 = 1 THEN 'GIFT_VOUCHERS' ELSE 'DISCOUNT_COUPONS' END, n % 3 = 0
      FROM generate_series(1, 5000) n;
    ANALYZE campaign_templates`);
  await runner.release();
});
afterAll(() => database?.destroy());

const by = (field: string, value: string) => ({ filters: { [field]: { conditions: { $is: value } } } });

it.each<[string, object, string]>([
  ['nothing', {}, 'campaign_templates_listed'],
  ['a cursor', { starting_after_id: 'camp_tpl_02000', order: '-id' }, 'campaign_templates_listed'],
  ['a name', by('name', 'Template 7'), 'campaign_templates_name'],
  ['a kind', by('campaign_type', 'GIFT_VOUCHERS'), 'campaign_templates_type'],
])('a list of templates finds %s by an index, and reads no more than it shows', async (_, query, index) => {
  const read = readInput(TemplateListQuery, query, 'query');
  const statements = templateListStatements('proj_1', read);
  if (isRefused(statements)) throw new Error(statements.details);
  const page = await touchedRows(database, statements.page, 'campaign_templates');
  expect(page.scans).toEqual([index]);
  expect(page.rows).toBeLessThanOrEqual(11);
});
