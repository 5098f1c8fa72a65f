import { readInput } from '@scrip/edge';
import { isRefused } from '@scrip/kernel';
import { createDatabase, projectOf, touchedRows } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { campaignsContext } from '../index';
import { CampaignListQuery, listStatement } from './campaign-list.query';

const campaigns = 5_000;
const now = new Date('2026-06-15T00:00:00Z');
const typeOf = (key: string) => (key === 'batch' ? 'number' : undefined);

let database: DataSource;

beforeAll(async () => {
  database = new DataSource({ type: 'postgres', url: await createDatabase('campaign_plans') });
  await database.initialize();
  const runner = database.createQueryRunner();
  for (const Migration of campaignsContext.migrations) await new Migration().up(runner);
  await runner.query(`
    INSERT INTO campaigns (project_id, id, version, epoch, last_ord, state, name, campaign_type, type, is_referral_code,
        creation_status, vouchers_generation_status, active, category, category_id, start_date, expiration_date, metadata,
        created_at, updated_at)
      SELECT 'proj_1', 'camp_' || n, 1, 1, '1'::xid8,
        jsonb_build_object('campaign', jsonb_build_object('validity_timeframe',
          CASE WHEN n % 2 = 1 THEN '{"interval": "P1D", "duration": "PT1H"}'::jsonb END)), 'Campaign ' || n, 'DISCOUNT_COUPONS', 'STATIC', false,
        CASE WHEN n % 1000 = 1 THEN 'FAILED' ELSE 'DONE' END, 'DONE', true, 'Category ' || n, 'cat_' || n,
        '2000-01-01'::timestamptz + n * interval '1 day', '2026-06-12'::timestamptz + n * interval '1 day',
        jsonb_build_object('batch', n), '2026-01-01'::timestamptz + n * interval '1 minute',
        '2026-02-01'::timestamptz + n * interval '1 minute'
      FROM generate_series(1, ${campaigns}) n;
    INSERT INTO categories (project_id, id, name, hierarchy, created_at)
      SELECT 'proj_1', 'cat_' || n, 'Category ' || n, 1, now() FROM generate_series(1, 1000) n;
    ANALYZE campaigns, categories`);
  await runner.release();
});
afterAll(() => database?.destroy());

const by = (field: string, operator: string, value: unknown) => ({
  filters: { [field]: { conditions: { [operator]: value } } },
});

it.each<[string, object, string[]]>([
  ['a name', by('campaigns', '$is', 'Campaign 7'), ['campaigns_name']],
  ['an id', by('campaigns_id', '$in', ['camp_7']), ['campaigns_pkey']],
  ['a category', by('categories', '$is', 'Category 7'), ['campaigns_category_id']],
  ['a category’s id', by('category_ids', '$is', 'cat_7'), ['campaigns_category_id']],
  ['a status', by('campaign_status', '$is', 'FAILED'), ['campaigns_status']],
  ['the parameter campaign_status', { campaign_status: 'FAILED' }, ['campaigns_status']],
  ['what is expired', by('active', '$expired', true), ['campaigns_expiration']],
  ['an expiration', by('expiration_date', '$before', '2026-06-15'), ['campaigns_expiration']],
  ['a start', by('start_date', '$before', '2000-01-04'), ['campaigns_start']],
  ['a window', by('validity_timeframe', '$before', '2000-01-07'), ['campaigns_window']],
  ['the time', by('created_date', '$before', '2026-01-01T00:05:00Z'), ['campaigns_created']],
  ['a change', by('updated_at', '$before', '2026-02-01T00:05:00Z'), ['campaigns_updated']],
  ['what expires today', by('expiration_date', '$today', true), ['campaigns_expiration']],
  ['what expired lately', by('expiration_date', '$less_than', 3), ['campaigns_expiration']],
  ['what began a number of days ago', by('start_date', '$is_days_ago', 9_661), ['campaigns_start']],
  ['a window of a day', by('validity_timeframe', '$is_days_ago', 9_661), ['campaigns_window']],
  ['the year', by('created_date', '$last_year', true), ['campaigns_created']],
  ['a change of long ago', by('updated_at', '$more_than', 134), ['campaigns_updated']],
  ['metadata', by('metadata.batch', '$is', '7'), ['campaigns_metadata']],
  ['nothing', {}, ['campaigns_created']],
])('a list of campaigns finds %s by an index, and reads no more than it shows', async (_, query, indexes) => {
  const read = readInput(CampaignListQuery, query, 'query');
  const statements = listStatement(projectOf({ id: 'proj_1' }), read, { singleCodes: '0', now, typeOf });
  if (isRefused(statements)) throw new Error(statements.details);
  const page = await touchedRows(database, statements.page, 'campaigns');
  expect(page.scans).toEqual(indexes);
  expect(page.rows).toBeLessThanOrEqual(10);
  if (Object.keys(query).length === 0) return;
  const count = await touchedRows(database, statements.count, 'campaigns');
  expect(count.scans).toEqual(indexes);
  expect(count.rows).toBeLessThanOrEqual(10);
});

it.each([
  ['-created_at', 'camp_99'],
  ['created_at', 'camp_101'],
])('a list of campaigns goes on behind one of them by an index, ordered by %s', async (order, next) => {
  const read = readInput(CampaignListQuery, { order }, 'query');
  const cursor = { id: 'camp_100', created_at: '2026-01-01 01:40:00+00' };
  const project = projectOf({ id: 'proj_1' });
  const statements = listStatement(project, read, { singleCodes: 'c.id', now, typeOf, cursor });
  if (isRefused(statements)) throw new Error(statements.details);
  const { scans, rows } = await touchedRows(database, statements.page, 'campaigns');
  expect(scans).toEqual(['campaigns_created']);
  expect(rows).toBeLessThanOrEqual(10);
  const [first] = await database.query<{ single_codes: string }[]>(
    statements.page.text,
    statements.page.values,
  );
  expect(first?.single_codes).toBe(next);
  const [{ total }] = await database.query<[{ total: string }]>(
    statements.count.text,
    statements.count.values,
  );
  expect(Number(total)).toBe(campaigns);
});
