import { createDatabase } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { AddTraceToSendouts1795200000000 } from '../migrations/add-trace-to-sendouts.migration';
import { CreateWebhooks1763700000000 } from '../migrations/create-webhooks.migration';
import {
  type SendoutState,
  cancelWaiting,
  claimDue,
  laneStatus,
  releaseOrphans,
  succeededSince,
} from './sendout.table';

describe('sendouts of another project', () => {
  const ours = { projectId: 'proj_1', webhookId: 'wh_1' };
  const theirs = { projectId: 'proj_2', webhookId: 'wh_1' };
  let database: DataSource;

  beforeAll(async () => {
    database = await new DataSource({
      type: 'postgres',
      url: await createDatabase('sendout_rows'),
      migrations: [CreateWebhooks1763700000000, AddTraceToSendouts1795200000000],
      installExtensions: false,
    }).initialize();
    await database.runMigrations();
  });
  beforeEach(() => database.query('TRUNCATE sendouts'));
  afterAll(() => database.destroy());

  const theirSendoutIs = (state: SendoutState) =>
    database.query(
      `INSERT INTO sendouts (id, project_id, webhook_id, public_event_id, kind, group_id, target_url, event_created_at,
         created_at, state, next_attempt_at, finished_at)
       VALUES ('whs_1', $1, $2, 'ev_1', 'voucher.created', 'g', 'https://shop.example', now(), now(), $3, now(), now())`,
      [theirs.projectId, theirs.webhookId, state],
    );
  const state = async () =>
    (await database.query<{ state: string }[]>('SELECT state FROM sendouts'))[0]?.state;

  it('are not cancelled', async () => {
    await theirSendoutIs('PENDING');
    await cancelWaiting(database, ours);
    expect(await state()).toBe('PENDING');
    await cancelWaiting(database, theirs);
    expect(await state()).toBe('CANCELED');
  });

  it('are not put back', async () => {
    await theirSendoutIs('DELIVERING');
    await releaseOrphans(database, ours);
    expect(await state()).toBe('DELIVERING');
    await releaseOrphans(database, theirs);
    expect(await state()).toBe('RETRYING');
  });

  it('are not taken, and keep no lane going', async () => {
    await theirSendoutIs('PENDING');
    expect(await claimDue(database, ours, 10)).toEqual([]);
    expect((await laneStatus(database, ours)).dueInMs).toBeNull();
    expect((await laneStatus(database, theirs)).dueInMs).not.toBeNull();
  });

  it('are no success of ours', async () => {
    await theirSendoutIs('SUCCEEDED');
    expect(await succeededSince(database, ours, new Date(0))).toBe(false);
    expect(await succeededSince(database, theirs, new Date(0))).toBe(true);
  });
});
