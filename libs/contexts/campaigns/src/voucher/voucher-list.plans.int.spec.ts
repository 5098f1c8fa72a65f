import { readInput } from '@scrip/edge';
import { isRefused } from '@scrip/kernel';
import { createDatabase, projectOf, type TouchedRows, touchedRows } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { campaignsContext } from '../index';
import { VoucherListQuery, voucherListStatements } from './voucher-list.query';

const project = projectOf({});
const [definitions, codesOfEach, singles] = [40, 500, 4_000];
const now = new Date('2026-06-15T00:00:00Z');
const typeOf = (key: string) => (key === 'batch' ? 'number' : undefined);

const filledTables = `
  CREATE FUNCTION template(n int) RETURNS jsonb LANGUAGE sql AS $$
    SELECT jsonb_build_object('campaign_id', 'camp_' || n, 'campaign', 'Campaign ' || n, 'category', 'Category ' || n,
      'category_id', 'cat_' || n, 'holder_id', 'cust_' || n, 'is_referral_code', n % 4000 = 1, 'active', n % 4000 <> 1,
      'start_date', to_char('2000-01-01'::timestamp + n * interval '1 day', 'YYYY-MM-DD"T00:00:00.000Z"'),
      'expiration_date', to_char('2027-01-01'::timestamp + n * interval '1 day', 'YYYY-MM-DD"T00:00:00.000Z"'),
      'validity_timeframe', CASE WHEN n % 2 = 1 THEN '{"interval": "P1D", "duration": "PT1H"}'::jsonb END,
      'validity_day_of_week', NULL, 'metadata', jsonb_build_object('batch', n, 'tags', jsonb_build_array('t' || n)),
      'redemption', jsonb_build_object('quantity', n, 'redeemed_quantity', 0)) $$;
  INSERT INTO campaigns (project_id, id, version, epoch, last_ord, state, name, campaign_type, type, is_referral_code,
      creation_status, active, created_at)
    SELECT $$${project.id}$$, 'camp_' || n, 1, 1, '1'::xid8, '{}', 'Campaign ' || n, 'DISCOUNT_COUPONS', 'STATIC', false,
      'DONE', true, now() FROM generate_series(1, ${singles}) n;
  INSERT INTO categories (project_id, id, name, hierarchy, created_at)
    SELECT $$${project.id}$$, 'cat_' || n, 'Category ' || n, 1, now() FROM generate_series(1, 1000) n;
  INSERT INTO voucher_definitions (project_id, id, template) SELECT $$${project.id}$$, 'vd_' || n, template(n) FROM generate_series(1, ${definitions}) n;
  INSERT INTO vouchers (project_id, id, version, epoch, last_ord, code, code_key, campaign_id, definition_id, created_at)
    SELECT $$${project.id}$$, 'v_' || d || '_' || lpad(n::text, 6, '0'), 0, 0, '0'::xid8, 'C' || d || '-' || n,
      'C' || d || '-' || n, 'camp_' || d, 'vd_' || d, '2026-01-01'::timestamptz + (d * 1000 + n) * interval '1 second'
    FROM generate_series(1, ${definitions}) d, generate_series(1, ${codesOfEach}) n;
  INSERT INTO vouchers (project_id, id, version, epoch, last_ord, state, filterable, code, code_key, campaign_id,
      start_date, expiration_date, created_at)
    SELECT $$${project.id}$$, 'v_s' || lpad(n::text, 6, '0'), 1, 1, '1'::xid8,
      jsonb_build_object('voucher', template(n), 'code_key', 'S' || n), template(n), 'S' || n, 'S' || n, 'camp_' || n,
      (template(n)->>'start_date')::timestamptz, (template(n)->>'expiration_date')::timestamptz,
      '2026-02-01'::timestamptz + n * interval '1 second'
    FROM generate_series(1, ${singles}) n;
  ANALYZE`;

let database: DataSource;

beforeAll(async () => {
  database = new DataSource({ type: 'postgres', url: await createDatabase('voucher_plans') });
  await database.initialize();
  const runner = database.createQueryRunner();
  for (const Migration of campaignsContext.migrations) await new Migration().up(runner);
  await runner.query(filledTables);
  await runner.release();
});
afterAll(() => database?.destroy());

const touchedBy = async (query: object): Promise<Record<'page' | 'count', TouchedRows>> => {
  const statements = voucherListStatements(project, readInput(VoucherListQuery, query, 'query'), {
    now,
    typeOf,
  });
  if (isRefused(statements)) throw new Error(statements.details);
  return {
    page: await touchedRows(database, statements.page, 'vouchers'),
    count: await touchedRows(database, statements.count, 'vouchers'),
  };
};

const by = (field: string, operator: string, value: unknown) => ({
  filters: { [field]: { conditions: { [operator]: value } } },
});

const ofDefinition = 'vouchers_definition';
const own = ['vouchers_own_fields', 'vouchers_own'];

describe('a list of vouchers', () => {
  it.each<[string, object, string[]]>([
    ['metadata', by('metadata.batch', '$is', '7'), [ofDefinition, ...own]],
    ['an element of metadata', by('metadata.tags', '$in', ['t7', 'none']), [ofDefinition, ...own]],
    ['metadata that only singles have', by('metadata.batch', '$is', '3999'), own],
    ['metadata that none has', by('metadata.tags', '$is', 'none'), own],
    ['a category', by('categories', '$is', 'Category 7'), [ofDefinition, 'vouchers_own_category']],
    ['the parameter category', { category: 'Category 7' }, [ofDefinition, 'vouchers_own_category']],
    ['a category’s id', by('category_ids', '$in', ['cat_7']), [ofDefinition, 'vouchers_own_category']],
    ['a holder', by('holder_id', '$is', 'cust_7'), [ofDefinition, ...own]],
    ['who it was published for', by('published_for_customer_id', '$is', 'cust_7'), [ofDefinition, ...own]],
    ['the parameter customer', { customer: 'cust_7' }, [ofDefinition, ...own]],
    ['referral codes', by('is_referral_code', '$is', 'TRUE'), [ofDefinition, ...own]],
    ['what is disabled', by('active', '$disabled', true), [ofDefinition, ...own]],
    ['a start', by('start_date', '$before', '2000-01-04'), [ofDefinition, 'vouchers_own_start']],
    [
      'a window',
      by('validity_timeframe', '$before', '2000-01-05'),
      [ofDefinition, 'vouchers_own_window', 'vouchers_own_start'],
    ],
    [
      'an expiration',
      by('expiration_date', '$before', '2027-01-04'),
      [ofDefinition, 'vouchers_own_expiration'],
    ],
    [
      'what began a number of days ago',
      by('start_date', '$is_days_ago', 9_661),
      [ofDefinition, 'vouchers_own_start'],
    ],
    [
      'a window of a day',
      by('validity_timeframe', '$is_days_ago', 9_661),
      [ofDefinition, 'vouchers_own_window', 'vouchers_own_start'],
    ],
    [
      'what expires in a number of days',
      by('expiration_date', '$is_days_in_future', 201),
      [ofDefinition, 'vouchers_own_expiration'],
    ],
    ['the year', by('created_at', '$last_year', true), ['vouchers_created']],
    ['what is expired', by('active', '$expired', true), ['vouchers_own_expiration']],
    ['a limit of uses', by('redemption.quantity', '$is', '7'), [ofDefinition, ...own]],
    ['a campaign', by('campaign_ids', '$is', 'camp_7'), [ofDefinition, 'vouchers_own_campaign']],
    ['the parameter campaign_id', { campaign_id: 'camp_7' }, [ofDefinition, 'vouchers_own_campaign']],
    ['the parameter campaign', { campaign: 'Campaign 7' }, [ofDefinition, 'vouchers_own_campaign']],
    ['a code', by('code', '$is', 'C7-7'), ['vouchers_code_key']],
    ['the parameter code', { code: 'C7-7' }, ['vouchers_code_key']],
    ['the beginning of a code', by('code', '$starts_with', 'C7-7'), ['vouchers_code_key']],
    ['an id', by('vouchers', '$in', ['v_s000007']), ['vouchers_pkey']],
    ['the parameter ids', { ids: ['v_s000007'] }, ['vouchers_pkey']],
    ['the time', by('created_at', '$before', '2026-01-01T00:17:00Z'), ['vouchers_created']],
    ['the date', by('created_date', '$before', '2026-01-01T00:17:00Z'), ['vouchers_created']],
    ['the parameter created_at', { created_at: { before: '2026-01-01T00:17:00Z' } }, ['vouchers_created']],
  ])('finds %s by an index, and reads no more than it shows', async (_, query, indexes) => {
    const { page, count } = await touchedBy(query);
    for (const { scans, rows } of [page, count]) {
      expect([...indexes, 'vouchers_pkey']).toEqual(expect.arrayContaining(scans));
      expect(rows).toBeLessThanOrEqual(2 * codesOfEach);
    }
  });

  it.each<[string, object]>([
    ['a use', by('redemption.redeemed_quantity', '$less_than', '1')],
    ['what was redeemed of it', by('redemption.redeemed_amount', '$is_unknown', true)],
    ['what can be redeemed', by('redemption_status', '$redeemable', true)],
    ['a change', by('updated_at', '$is_unknown', true)],
    ['an anniversary', by('created_at', '$this_year_md', true)],
    ['weekdays', by('validity_day_of_week', '$is', '2')],
    ['what metadata is not', by('metadata.batch', '$is_not', '7')],
    ['what is active now', by('active', '$active', true)],
    ['what is enabled', by('active', '$enabled', true)],
    ['nothing', {}],
  ])('that many fit by %s reads as many rows as it shows of each definition', async (_, query) => {
    const { page, count } = await touchedBy(query);
    expect(page.scans).not.toContain('Seq Scan');
    expect(page.rows).toBeLessThanOrEqual((definitions + 2) * 10 + 30);
    expect(count.rows).toBeLessThanOrEqual(10_000 + 10);
  });

  it.each<[string, object, string]>([
    ['of all', {}, 'v_7_000249'],
    ['oldest first', { order: 'created_at' }, 'v_7_000251'],
    ['of a campaign', { campaign_id: 'camp_7' }, 'v_7_000249'],
    ['by filters', by('metadata.batch', '$is', '7'), 'v_7_000249'],
  ])('goes on behind a voucher by an index, however far: %s', async (_, query, next) => {
    const read = readInput(VoucherListQuery, query, 'query');
    const cursor = { id: 'v_7_000250', created_at: '2026-01-01 02:00:50+00' };
    const statements = voucherListStatements(project, read, { now, typeOf, cursor });
    if (isRefused(statements)) throw new Error(statements.details);
    const { scans, rows } = await touchedRows(database, statements.page, 'vouchers');
    expect(scans).not.toContain('Seq Scan');
    expect(rows).toBeLessThanOrEqual(codesOfEach);
    const [first] = await database.query<{ id: string }[]>(statements.page.text, statements.page.values);
    expect(first?.id).toBe(next);
    expect(await database.query(statements.count.text, statements.count.values)).toHaveLength(1);
  });

  it('finds the definition of a campaign by its name, however many definitions there are', async () => {
    await database.query(`INSERT INTO voucher_definitions (project_id, id, template)
      SELECT $$${project.id}$$, 'vd_other_' || n, jsonb_build_object('campaign_id', 'camp_other_' || n) FROM generate_series(1, 5000) n`);
    await database.query('ANALYZE voucher_definitions');
    const query = readInput(VoucherListQuery, { campaign: 'Campaign 7' }, 'query');
    const statements = voucherListStatements(project, query, { now, typeOf });
    if (isRefused(statements)) throw new Error(statements.details);
    for (const statement of [statements.page, statements.count]) {
      const { scans, rows } = await touchedRows(database, statement, 'voucher_definitions');
      expect(scans).toContain('voucher_definitions_campaign');
      expect(rows).toBeLessThanOrEqual(30);
    }
    await database.query("DELETE FROM voucher_definitions WHERE id LIKE 'vd\\_other%'");
    await database.query('VACUUM ANALYZE voucher_definitions');
  });

  describe('of large campaigns, beside others whose vouchers say themselves what lists filter by', () => {
    beforeAll(async () => {
      await database.query(`
        INSERT INTO vouchers (project_id, id, version, epoch, last_ord, code, code_key, campaign_id, definition_id, created_at)
          SELECT $$${project.id}$$, 'v_' || d || '_' || lpad(n::text, 6, '0'), 0, 0, '0'::xid8, 'C' || d || '-' || n,
            'C' || d || '-' || n, 'camp_' || d, 'vd_' || d, '2026-03-01'::timestamptz + (d * 100000 + n) * interval '1 second'
          FROM generate_series(1, 4) d, generate_series(1000, 15000) n;
        INSERT INTO vouchers (project_id, id, version, epoch, last_ord, state, filterable, code, code_key, campaign_id,
            start_date, expiration_date, created_at)
          SELECT $$${project.id}$$, 'v_o' || lpad(n::text, 6, '0'), 1, 1, '1'::xid8,
            jsonb_build_object('voucher', template(7), 'code_key', 'O' || n), template(7), 'O' || n, 'O' || n, 'camp_7',
            (template(7)->>'start_date')::timestamptz, (template(7)->>'expiration_date')::timestamptz,
            '2026-04-01'::timestamptz + n * interval '1 second'
          FROM generate_series(1, 12000) n`);
      await database.query('VACUUM ANALYZE vouchers');
    });

    it('counts those of one campaign without reading those of others', async () => {
      const { count } = await touchedBy({ campaign_id: 'camp_4' });
      expect(count.scans).toContain(ofDefinition);
      expect(count.scans).not.toContain('Seq Scan');
      expect(count.rows).toBeLessThanOrEqual(10_000 + 10);
    });

    it.each<[string, object, number]>([
      ['one by its id', { campaign_id: 'camp_3' }, 1],
      ['one by its name', { campaign: 'Campaign 3' }, 1],
      ['two', by('campaign_ids', '$in', ['camp_3', 'camp_4']), 2],
      [
        'two, those that are active',
        {
          filters: {
            ...by('campaign_ids', '$in', ['camp_3', 'camp_4']).filters,
            ...by('active', '$active', true).filters,
            junction: 'and',
          },
        },
        2,
      ],
    ])('reads for a late page of %s as many of each as lie before its end', async (_, query, campaigns) => {
      const { page, count } = await touchedBy({ ...query, limit: '10', page: '50' });
      expect([ofDefinition, 'vouchers_own_campaign', 'vouchers_pkey']).toEqual(
        expect.arrayContaining(page.scans),
      );
      expect(page.rows).toBeLessThanOrEqual(campaigns * 500);
      expect(count.rows).toBeLessThanOrEqual(10_000);
    });
  });
});
