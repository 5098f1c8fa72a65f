import { readInput } from '@scrip/edge';
import { isRefused } from '@scrip/kernel';
import { createDatabase, projectOf, touchedRows } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { campaignsContext } from '../index';
import { type ListedOf, PublicationListQuery, publicationListStatements } from './publication-list.query';

let database: DataSource;

beforeAll(async () => {
  database = new DataSource({ type: 'postgres', url: await createDatabase('publication_plans') });
  await database.initialize();
  const runner = database.createQueryRunner();
  for (const Migration of campaignsContext.migrations) await new Migration().up(runner);
  // Of one campaign each hundred; each thousandth is of a referral code, of a loyalty card, or failed.
  await runner.query(`
    INSERT INTO campaigns (project_id, id, version, epoch, last_ord, state, name, campaign_type, type, is_referral_code,
        creation_status, active, created_at)
      SELECT 'proj_1', 'camp_' || n, 1, 1, '1'::xid8, '{}', 'Campaign ' || n, 'DISCOUNT_COUPONS', 'STATIC', false, 'DONE', true, now()
      FROM generate_series(0, 99) n;
    INSERT INTO publications (project_id, id, version, epoch, last_ord, state, customer_id, source_id, result, failure_code,
        channel, campaign_id, campaign, voucher_type, is_referral_code, voucher_id, voucher_code, created_at)
      SELECT 'proj_1', 'pub_' || n, 1, 1, '1'::xid8, '{}', 'cust_' || n % 2000, 'source ' || n,
        CASE WHEN n % 1000 = 1 THEN 'FAILURE' ELSE 'SUCCESS' END, CASE WHEN n % 1000 = 1 THEN 'voucher_disabled' END,
        'channel ' || n % 50, 'camp_' || n % 100, 'Campaign ' || n % 100,
        CASE WHEN n % 1000 = 2 THEN 'LOYALTY_CARD' ELSE 'DISCOUNT_VOUCHER' END, n % 1000 = 3, 'v_' || n, 'CODE-' || n,
        '2026-01-01'::timestamptz + n * interval '1 minute'
      FROM generate_series(1, 10000) n;
    INSERT INTO holders (project_id, id, voucher_id, customer_id, role, publication_id, voucher_type, created_at)
      SELECT 'proj_1', 'rh_' || n, 'v_' || n, 'cust_' || n % 2000, 'OWNER', 'pub_' || n, 'DISCOUNT_VOUCHER', now()
      FROM generate_series(1, 10000) n;
    ANALYZE campaigns, publications, holders`);
  await runner.release();
});
afterAll(() => database?.destroy());

const by = (field: string, value: string) => ({ filters: { [field]: { conditions: { $is: value } } } });

describe('a list of publications', () => {
  it.each<[string, object, ListedOf, string[]]>([
    ['nothing', {}, {}, ['publications_created']],
    ['a customer', {}, { customer_id: 'cust_7' }, ['publications_customer']],
    ['a customer, by filter', by('customer_id', 'cust_7'), {}, ['publications_customer']],
    ['a campaign', { campaign: 'Campaign 7' }, {}, ['publications_campaign']],
    ['a campaign’s id', by('parent_object_id', 'camp_7'), {}, ['publications_campaign']],
    ['a campaign’s name', by('campaign_name', 'Campaign 7'), {}, ['publications_campaign_name']],
    ['a voucher', by('related_object_id', 'v_7'), {}, ['publications_voucher']],
    ['one code of several', {}, { voucher_id: 'v_7' }, ['publications_pkey', 'publications_voucher']],
    ['a source id', { source_id: 'source 7' }, {}, ['publications_of_source_id']],
    ['a source id, by filter', by('source_id', 'source 7'), {}, ['publications_of_source_id']],
    ['failures', { result: 'FAILURE' }, {}, ['publications_failed']],
    ['a failure', by('failure_code', 'voucher_disabled'), {}, ['publications_failure']],
    ['a type', { voucher_type: 'loyalty' }, {}, ['publications_type']],
    ['a type, by filter', by('voucher_type', 'LOYALTY_CARD'), {}, ['publications_type']],
    ['referral codes', { is_referral_code: 'true' }, {}, ['publications_referral']],
    ['referral codes, by filter', by('is_referral_code', 'TRUE'), {}, ['publications_referral']],
  ])('finds %s by an index, and reads no more than it shows', async (_, query, of, indexes) => {
    const statements = publicationListStatements(
      projectOf({ id: 'proj_1' }),
      readInput(PublicationListQuery, query, 'query'),
      of,
    );
    if (isRefused(statements)) throw new Error(statements.details);
    const page = await touchedRows(database, statements.page, 'publications');
    expect([...page.scans].sort()).toEqual(indexes);
    expect(page.rows).toBeLessThanOrEqual(10);
  });

  it.each([
    ['created_at', 'publications_created'],
    ['voucher_code', 'publications_code'],
    ['channel', 'publications_channel'],
    ['customer_id', 'publications_customer'],
    ['tracking_id', 'publications_customer'],
    ['id', 'publications_pkey'],
  ])('is sorted by %s through an index, either way', async (order, index) => {
    for (const sign of ['', '-']) {
      const read = readInput(PublicationListQuery, { order: `${sign}${order}` }, 'query');
      const statements = publicationListStatements(projectOf({ id: 'proj_1' }), read, {});
      if (isRefused(statements)) throw new Error(statements.details);
      const page = await touchedRows(database, statements.page, 'publications');
      expect(page.scans).toEqual([index]);
      // Rows with one value of the order are read together.
      expect(page.rows).toBeLessThanOrEqual(20);
    }
  });

  it.each(['-created_at', 'created_at'])('goes on behind one by an index, ordered by %s', async (order) => {
    const read = readInput(PublicationListQuery, { order }, 'query');
    const cursor = { id: 'pub_5000', created_at: '2026-01-04 11:20:00+00' };
    const statements = publicationListStatements(projectOf({ id: 'proj_1' }), read, { cursor });
    if (isRefused(statements)) throw new Error(statements.details);
    const { scans, rows } = await touchedRows(database, statements.page, 'publications');
    expect(scans).toEqual(['publications_created']);
    expect(rows).toBeLessThanOrEqual(10);
  });
});
