import { createDatabase, waitUntil } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { type CampaignsFixture, bootCampaigns, coupons } from '../campaigns.fixture';

describe('slow lists of one project', () => {
  let campaigns: CampaignsFixture;
  let watching: DataSource;

  beforeAll(async () => {
    const url = await createDatabase('slow_lists');
    campaigns = await bootCampaigns(url);
    watching = await new DataSource({ type: 'postgres', url }).initialize();
    expect((await campaigns.call('POST', '/v1/campaigns', coupons('Listed'))).status).toBe(200);
  });
  afterAll(async () => {
    await campaigns.running.close();
    await watching.destroy();
  });

  const waitingForLock = async (): Promise<number> => {
    const [row] = await watching.query(
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%campaigns%'`,
    );
    return row.count;
  };

  it('leave connections of their context to its commands', async () => {
    const holder = watching.createQueryRunner();
    await holder.startTransaction();
    await holder.query('LOCK TABLE campaigns.campaigns IN ACCESS EXCLUSIVE MODE');
    const slow = Array.from({ length: 30 }, () => campaigns.call('GET', '/v1/campaigns'));
    await waitUntil(async () => (await waitingForLock()) >= 2, { what: 'lists that wait' });
    const append = campaigns.database.transaction((manager) => manager.query('SELECT pg_current_xact_id()'));
    await expect(append).resolves.toHaveLength(1);
    expect(await waitingForLock()).toBeLessThanOrEqual(2);
    await holder.rollbackTransaction();
    await holder.release();
    const statuses = new Set((await Promise.all(slow)).map(({ status }) => status));
    expect([...statuses].every((status) => status === 200 || status === 503)).toBe(true);
  });
});
