import { readInput } from '@scrip/edge';
import { eventStoreMigrations } from '@scrip/event-store';
import { createDatabase, touchedRows } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { promotionsContext } from './index';
import { StackListQuery, stackListStatements } from './stack/stack-list.query';
import { TierListQuery, tierListStatements, tiersOfCampaignStatements } from './tier/tier-list.query';

let database: DataSource;

const perCampaign = 50;
const rows = 12_000;
const now = new Date('2026-03-01T00:00:00Z');

const columns =
  'project_id, id, version, epoch, last_ord, state, campaign_id, deleted, created_at, updated_at';
const values = (prefix: string) => `project, '${prefix}' || lpad(n::text, 6, '0'), 1, 1, '1'::xid8, '{}',
  'camp_' || n / ${perCampaign}, n % 10 = 0, '2026-01-01'::timestamptz + n * interval '1 minute',
  CASE WHEN n % 2 = 0 THEN '2026-02-01'::timestamptz + n * interval '1 minute' END`;
const source = `FROM generate_series(1, ${rows}) n, unnest(ARRAY['proj_1', 'proj_2']) project`;

beforeAll(async () => {
  database = new DataSource({ type: 'postgres', url: await createDatabase('promotion_plans') });
  await database.initialize();
  const runner = database.createQueryRunner();
  for (const Migration of [...eventStoreMigrations, ...promotionsContext.migrations])
    await new Migration().up(runner);
  await runner.query(`
    INSERT INTO promotion_campaigns (project_id, id, name, campaign, version, epoch)
      SELECT project, 'camp_' || n, 'Campaign ' || n, '{"active": true}', 1, 1
      FROM generate_series(0, ${rows / perCampaign}) n, unnest(ARRAY['proj_1', 'proj_2']) project`);
  await runner.query(`
    INSERT INTO promotion_tiers (${columns}, hierarchy, active) SELECT ${values('promo_')}, n % ${perCampaign} + 1, true ${source}`);
  await runner.query(`
    INSERT INTO promotion_stacks (${columns}, name) SELECT ${values('stack_')}, 'Stack ' || n ${source}`);
  for (const table of ['campaigns', 'tiers', 'stacks'])
    await runner.query(`VACUUM ANALYZE promotion_${table}`);
  await runner.release();
}, 120_000);
afterAll(() => database?.destroy());

describe('a list of tiers', () => {
  const listed = (query: object, isBrowser = false) =>
    tierListStatements({ projectId: 'proj_1', now, isBrowser }, readInput(TierListQuery, query, 'query'));

  it.each<[string, object, boolean, string]>([
    ['newest first', {}, false, 'promotion_tiers_created'],
    ['oldest first', { order: 'created_at' }, false, 'promotion_tiers_created'],
    ['latest changes', { order: '-updated_at' }, false, 'promotion_tiers_updated'],
    ['what never changed', { order: 'updated_at' }, false, 'promotion_tiers_updated'],
    ['those in force, for browsers', {}, true, 'promotion_tiers_created'],
  ])('finds %s by an index, and reads no more than it shows', async (_, query, isBrowser, index) => {
    const page = await touchedRows(database, listed(query, isBrowser).page, 'promotion_tiers');
    expect(page.scans).toEqual([index]);
    expect(page.rows).toBeLessThanOrEqual(11);
  });

  it('of a campaign reads those of the campaign only', async () => {
    const query = { limit: 10, page: 1 };
    const { page } = tiersOfCampaignStatements('proj_1', 'camp_7', query);
    const touched = await touchedRows(database, page, 'promotion_tiers');
    expect(touched.scans).toEqual(['promotion_tiers_place']);
    expect(touched.rows).toBeLessThanOrEqual(perCampaign);
  });
});

describe('a list of stacks', () => {
  const listed = (query: object, campaignId?: string) =>
    stackListStatements(
      { projectId: 'proj_1', ...(campaignId && { campaignId }) },
      readInput(StackListQuery, query, 'query'),
    );

  it.each<[string, object, string]>([
    ['newest first', {}, 'promotion_stacks_created'],
    ['oldest first', { order: 'created_at' }, 'promotion_stacks_created'],
    ['latest changes', { order: '-updated_at' }, 'promotion_stacks_updated'],
    ['what never changed', { order: 'updated_at' }, 'promotion_stacks_updated'],
    ['by name', { order: 'name' }, 'promotion_stacks_name'],
    ['by name, backwards', { order: '-name' }, 'promotion_stacks_name'],
    ['a time', { created_at: { before: '2026-01-01T00:05:00Z' } }, 'promotion_stacks_created'],
  ])('finds %s by an index, and reads no more than it shows', async (_, query, index) => {
    const page = await touchedRows(database, listed(query).page, 'promotion_stacks');
    expect(page.scans).toEqual([index]);
    expect(page.rows).toBeLessThanOrEqual(11);
  });

  it.each(['-created_at', 'created_at', 'updated_at', 'name'])(
    'of a campaign reads those of the campaign only, in the order %s',
    async (order) => {
      const { page, count } = listed({ order }, 'camp_7');
      for (const statement of [page, count]) {
        const touched = await touchedRows(database, statement, 'promotion_stacks');
        expect(touched.scans).toEqual(['promotion_stacks_campaign']);
        expect(touched.rows).toBeLessThanOrEqual(perCampaign);
      }
    },
  );
});
