import type { VoucherSnapshot } from '@scrip/contracts/campaigns';
import { waitUntil } from '@scrip/testing';
import {
  bootCampaigns,
  caller,
  type CampaignsFixture,
  claimOn,
  coupons,
  project,
  requestOf,
} from '../campaigns.fixture';
import { CampaignWorkReads } from '../tasks/campaign-work.reads';
import { FollowingVouchers } from './following-vouchers';
import type { Progress } from './update-progress';

let fixture: CampaignsFixture;
let replica: CampaignsFixture;
let count = 0;

beforeAll(async () => {
  fixture = await bootCampaigns();
  replica = await bootCampaigns(fixture.databaseUrl);
});
afterAll(async () => {
  await replica?.running.close();
  await fixture?.running.close();
});

const campaignOf = async (
  codes: number,
  fields: object = {},
): Promise<{ campaignId: string; ids: string[] }> => {
  count += 1;
  const body = coupons(`updating ${count}`, {
    vouchers_count: codes,
    expiration_date: '2099-01-01',
    ...fields,
  });
  const created = await fixture.call('POST', '/v1/campaigns', body);
  const campaignId = created.body.id as string;
  return { campaignId, ids: codes > 0 ? await idsOf(campaignId, codes) : [] };
};
const idsOf = (campaignId: string, codes: number): Promise<string[]> =>
  waitUntil(
    async () => {
      const { body } = await fixture.call('GET', `/v1/vouchers?campaign_id=${campaignId}&limit=100`);
      const shown = await fixture.call('GET', `/v1/campaigns/${campaignId}`);
      if (shown.body.vouchers_generation_status !== 'DONE') return false;
      return body.vouchers.length === codes && body.vouchers.map(({ id }: { id: string }) => id);
    },
    { what: 'the codes' },
  );
const put = (campaignId: string, body: object) => fixture.call('PUT', `/v1/campaigns/${campaignId}`, body);
const done = async (campaignId: string) => {
  await waitUntil(
    async () => (await fixture.call('GET', `/v1/campaigns/${campaignId}`)).body.creation_status === 'DONE',
    { what: 'the update' },
  );
  const rows = await fixture.database.query<{ state: { async_action: { id: string } } }[]>(
    `SELECT state FROM tasks WHERE campaign_id = $1 AND state->'work'->>'kind' = 'CAMPAIGN.VOUCHERS_UPDATE'
     ORDER BY created_at, id`,
    [campaignId],
  );
  const id = rows.at(-1)!.state.async_action.id;
  return waitUntil(
    async () => {
      const task = (await fixture.port.loadAsyncAction(caller(), { id })) as {
        status: string;
        result: object;
      };
      return task.status !== 'ENQUEUED' && task.status !== 'IN_PROGRESS' && task;
    },
    { what: 'the task' },
  );
};
const claimed = async (id: string, { port } = fixture): Promise<VoucherSnapshot> => {
  const [answer] = await port.claim(caller(), requestOf(claimOn(id)));
  if (!answer || 'refusal' in answer) throw new Error(`no use of ${id} is left`);
  return answer.granted.voucher;
};
const shown = async (id: string): Promise<VoucherSnapshot> =>
  (await fixture.call('GET', `/v1/vouchers/${id}`)).body;
const later = '2100-01-01T00:00:00.000Z';

describe('a change of a campaign', () => {
  it('reaches the vouchers that are neither published nor redeemed (reference 04 §4.3, its example)', async () => {
    const { campaignId, ids } = await campaignOf(3);
    const [published, redeemed, free] = ids as [string, string, string];
    await claimed(redeemed);
    // As a publication leaves it: nothing publishes yet.
    await fixture.database.query(
      `UPDATE vouchers SET state = '{"voucher": {"publish": {"count": 1}}}', definition_revision = 1 WHERE id = $1`,
      [published],
    );
    const answer = await put(campaignId, { expiration_date: '2100-01-01' });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        expiration_date: later,
        creation_status: 'MODIFYING',
        vouchers_generation_status: 'MODIFYING',
        vouchers_count: 3,
      },
    });
    expect((await shown(free)).expiration_date).toBe(later);
    expect(await done(campaignId)).toMatchObject({
      type: 'CAMPAIGN.VOUCHERS_UPDATE',
      status: 'DONE',
      result: { message: 'Updated 1 vouchers.', done_count: 1 },
    });
    for (const id of [published, redeemed])
      expect((await shown(id)).expiration_date).toBe('2099-01-01T00:00:00.000Z');
    const filter = 'filters[expiration_date][conditions][$after][0]=2099-06-01';
    const { body } = await fixture.call('GET', `/v1/vouchers?campaign_id=${campaignId}&${filter}`);
    expect(body).toMatchObject({ total: 1, vouchers: [{ id: free }] });
    await fixture.database.query(
      'UPDATE vouchers SET state = NULL, filterable = NULL, start_date = NULL, expiration_date = NULL WHERE id = $1',
      [published],
    );
  });

  it('leaves alone what codes set themselves, single ones and those of an order', async () => {
    const { campaignId } = await campaignOf(0);
    const path = `/v1/campaigns/${campaignId}/vouchers`;
    const single = (await fixture.call('POST', path, {})).body.id as string;
    const own = (
      await fixture.call('POST', path, { expiration_date: '2050-01-01', redemption: { quantity: 7 } })
    ).body.id as string;
    await fixture.call('POST', `${path}?vouchers_count=2`, { expiration_date: '2050-01-01' });
    const ids = await idsOf(campaignId, 4);
    const ordered = ids.filter((id) => id !== single && id !== own);
    const body = {
      expiration_date: '2100-01-01',
      metadata: { season: 'summer' },
      default_voucher_redemption: { quantity: 3 },
    };
    await put(campaignId, body);
    expect(await done(campaignId)).toMatchObject({ result: { done_count: 4 } });
    const summer = { metadata: { season: 'summer' } };
    expect(await shown(single)).toMatchObject({
      expiration_date: later,
      redemption: { quantity: 3 },
      ...summer,
    });
    expect(await shown(own)).toMatchObject({
      expiration_date: '2050-01-01T00:00:00.000Z',
      redemption: { quantity: 7 },
      ...summer,
    });
    for (const id of ordered)
      expect(await shown(id)).toMatchObject({
        expiration_date: '2050-01-01T00:00:00.000Z',
        redemption: { quantity: 3 },
        ...summer,
      });
    const types = (await fixture.events.readStream('voucher', project.id, single)).map(({ type }) => type);
    expect(types).toEqual(['VoucherCreated', 'VoucherFollowedCampaign']);
    expect(await fixture.events.verifyState()).toEqual([]);
  });

  it('of metadata reaches each key that a code does not say itself (reference 04 §4.3)', async () => {
    const { campaignId, ids } = await campaignOf(2, { metadata: { season: 'spring', shop: 'Oslo' } });
    const [touched, untouched] = ids as [string, string];
    await fixture.call('PUT', `/v1/vouchers/${touched}`, { metadata: { till: 7 } });
    const path = `/v1/campaigns/${campaignId}/vouchers`;
    await fixture.call('POST', `${path}?vouchers_count=2`, { metadata: { season: 'spring', till: 8 } });
    const ordered = (await idsOf(campaignId, 4)).filter((id) => !ids.includes(id));
    await put(campaignId, { metadata: { season: 'summer', fresh: true }, unset_metadata_fields: ['shop'] });
    const metadataOf = async (id: string) => (await shown(id)).metadata;
    for (const id of ordered)
      expect(await metadataOf(id)).toEqual({ season: 'spring', till: 8, fresh: true });
    expect(await metadataOf(untouched)).toEqual({ season: 'summer', fresh: true });
    expect(await done(campaignId)).toMatchObject({ result: { done_count: 4 } });
    expect(await metadataOf(touched)).toEqual({ season: 'summer', till: 7, fresh: true });
    await put(campaignId, { metadata: { fresh: false, till: 9 } });
    await done(campaignId);
    expect(await metadataOf(touched)).toEqual({ season: 'summer', till: 7, fresh: false });
    expect(await metadataOf(untouched)).toEqual({ season: 'summer', till: 9, fresh: false });
    for (const id of ordered)
      expect(await metadataOf(id)).toEqual({ season: 'spring', till: 8, fresh: false });
    const filter = 'filters[metadata.fresh][conditions][$is][0]=false';
    const { body } = await fixture.call('GET', `/v1/vouchers?campaign_id=${campaignId}&${filter}`);
    expect(body.total).toBe(4);
    expect(await fixture.events.verifyState()).toEqual([]);
  });

  it('reaches a code with a history of its own each time', async () => {
    const { campaignId, ids } = await campaignOf(2);
    const [touched, untouched] = ids as [string, string];
    await fixture.call('PUT', `/v1/vouchers/${touched}`, { additional_info: 'handed out at the till' });
    for (const expiration_date of ['2100-01-01', '2101-01-01', '2102-01-01']) {
      await put(campaignId, { expiration_date });
      expect(await done(campaignId)).toMatchObject({ result: { done_count: 2 } });
      for (const id of [touched, untouched])
        expect((await shown(id)).expiration_date).toBe(`${expiration_date}T00:00:00.000Z`);
    }
    expect(await fixture.events.verifyState()).toEqual([]);
  });

  it('queues behind the one before it, and both are told as done', async () => {
    const { campaignId, ids } = await campaignOf(2);
    const answers = await Promise.all(
      [20, 30, 40].map((percent_off) => put(campaignId, { discount: { type: 'PERCENT', percent_off } })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await done(campaignId);
    const told = (await fixture.events.readStream('campaign', project.id, campaignId)).map(
      ({ type }) => type,
    );
    expect(told.filter((type) => type === 'CampaignUpdated')).toHaveLength(3);
    expect(told.filter((type) => type === 'CampaignVouchersUpdated')).toHaveLength(3);
    const { body } = await fixture.call('GET', `/v1/campaigns/${campaignId}`);
    expect((await shown(ids[0]!)).discount).toEqual(body.voucher.discount);
  });

  it('is followed in the order in which campaigns were changed, whatever the clocks of the calls say', async () => {
    const { campaignId } = await campaignOf(0);
    const single = (await fixture.call('POST', `/v1/campaigns/${campaignId}/vouchers`, {})).body.id as string;
    // The task of a change before keeps the others waiting: a write to vouchers that it waits for does not end.
    const writer = fixture.database.createQueryRunner();
    await writer.startTransaction();
    await writer.query('LOCK TABLE vouchers IN ROW EXCLUSIVE MODE');
    await put(campaignId, { description: 'the one before' });
    // A call that has read its clock waits for a new category, while another one of another process goes past it.
    const holder = fixture.database.createQueryRunner();
    await holder.startTransaction();
    await holder.query(`SELECT pg_advisory_xact_lock(hashtext('scrip.categories'), hashtext($1))`, [
      project.id,
    ]);
    const last = put(campaignId, { expiration_date: '2101-01-01', category: `late ${count}` });
    // Of this database: the view shows the whole server.
    const waits = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    await waitUntil(async () => (await fixture.database.query<object[]>(waits)).length > 0, {
      what: 'the call',
    });
    await replica.call('PUT', `/v1/campaigns/${campaignId}`, { expiration_date: '2100-01-01' });
    await holder.commitTransaction();
    await last;
    await writer.commitTransaction();
    await Promise.all([holder.release(), writer.release()]);
    await done(campaignId);
    const { body } = await fixture.call('GET', `/v1/campaigns/${campaignId}`);
    expect((await shown(single)).expiration_date).toBe(body.expiration_date);
    expect(body.expiration_date).toBe('2101-01-01T00:00:00.000Z');
  });

  it('racing first uses is taken whole or not at all, and by every use that begins after its answer', async () => {
    const { campaignId, ids } = await campaignOf(50);
    for (const id of ids) await replica.port.load(caller(), { objects: [id] });
    let answered = false;
    const late: boolean[] = [];
    const uses = ids.map(async (id, at) => {
      await waitUntil(() => at < 25 || answered, { what: 'the turn of the use' });
      late[at] = answered;
      return claimed(id, at % 2 ? replica : fixture);
    });
    await put(campaignId, { discount: { type: 'PERCENT', percent_off: 20 }, expiration_date: '2100-01-01' });
    answered = true;
    const templates = { 10: '2099-01-01T00:00:00.000Z', 20: later } as Record<number, string>;
    for (const [at, voucher] of (await Promise.all(uses)).entries()) {
      const { percent_off } = voucher.discount as { percent_off: number };
      expect(late[at] ? [20] : [10, 20]).toContain(percent_off);
      expect(voucher.expiration_date).toBe(templates[percent_off]);
      expect(await shown(voucher.id)).toMatchObject({
        discount: { percent_off },
        expiration_date: voucher.expiration_date,
      });
    }
    await done(campaignId);
    const filter = 'filters[expiration_date][conditions][$before][0]=2099-06-01';
    const { body } = await fixture.call('GET', `/v1/vouchers?campaign_id=${campaignId}&${filter}`);
    const old = await fixture.database.query(
      'SELECT 1 FROM vouchers WHERE campaign_id = $1 AND definition_revision = 1',
      [campaignId],
    );
    expect(body.total).toBe(old.length);
    expect(await fixture.events.verifyState()).toEqual([]);
  });

  it('racing codes that are added leaves none behind', async () => {
    const { campaignId } = await campaignOf(0);
    const path = `/v1/campaigns/${campaignId}/vouchers`;
    const adding = Array.from({ length: 40 }, (_, at) =>
      fixture.call('POST', at % 8 ? path : `${path}?vouchers_count=2`, {}),
    );
    await put(campaignId, { discount: { type: 'PERCENT', percent_off: 20 } });
    expect((await Promise.all(adding)).every(({ status }) => status === 200 || status === 202)).toBe(true);
    await done(campaignId);
    const ids = await idsOf(campaignId, 45);
    for (const id of ids) expect((await shown(id)).discount).toEqual({ type: 'PERCENT', percent_off: 20 });
  });

  it('is carried on from where it was, however often a chunk is begun', async () => {
    const { campaignId } = await campaignOf(3);
    const path = `/v1/campaigns/${campaignId}/vouchers`;
    for (let added = 0; added < 2; added += 1) await fixture.call('POST', path, {});
    const following = fixture.get(FollowingVouchers);
    const chunk = (progress: Progress, now = '2026-03-05T10:00:00.000Z') => ({
      ...{ before: { additional_info: null }, after: { additional_info: 'changed' } },
      ...{ campaign_id: campaignId, async_action_id: 'aa_again', now, progress },
      enqueued_at: '2026-03-05T09:59:00.000Z',
    });
    const begin: Progress = { phase: 'OWN', after: null, count: 0 };
    const own = await following.follow(caller(), chunk(begin));
    expect(own).toMatchObject({ phase: 'SHARED', count: 2 });
    expect(await following.follow(caller(), chunk(begin, '2026-03-05T10:00:01.000Z'))).toEqual(own);
    const end = await following.follow(caller(), chunk(own));
    expect(end).toEqual({ phase: 'DONE', count: 5 });
    expect(await following.follow(caller(), chunk(own))).toEqual(end);
    const events = await fixture.database.query(
      `SELECT 1 FROM events WHERE type = 'VoucherFollowedCampaign' AND data->>'async_action_id' = 'aa_again'`,
    );
    expect(events).toHaveLength(2);
    expect(
      await fixture
        .get(CampaignWorkReads)
        .oldestUnfinished({ project_id: project.id, campaign_id: campaignId }),
    ).toBeUndefined();
  });

  it('of one part of a referral program keeps what another changes meanwhile', async () => {
    count += 1;
    const cards = await fixture.call('POST', '/v1/campaigns', {
      ...{ name: `cards ${count}`, type: 'AUTO_UPDATE', voucher: { gift: { amount: 100 } } },
    });
    const referral_program = { conversion_event_type: 'redemption' };
    const { campaignId } = await campaignOf(0, { campaign_type: 'REFERRAL_PROGRAM', referral_program });
    const related_object_parent = { id: cards.body.id as string };
    const referee_reward = { type: 'GIFT_VOUCHER', amount: 200, related_object_parent };

    const waiting = (calls: number) =>
      waitUntil(
        async () => {
          const rows = await fixture.database.query<object[]>(
            `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          return rows.length >= calls;
        },
        { what: `${calls} calls that wait for the campaign` },
      );
    const holder = await fixture.database.transaction(async (manager) => {
      await manager.query('SELECT 1 FROM campaigns WHERE id = $1 FOR UPDATE', [campaignId]);
      const first = put(campaignId, { referral_program: { referee_reward } });
      await waiting(1);
      const second = replica.call('PUT', `/v1/campaigns/${campaignId}`, { referral_program });
      await waiting(2);
      return [first, second];
    });
    expect((await Promise.all(holder)).map(({ status }) => status)).toEqual([200, 200]);
    const { body } = await fixture.call('GET', `/v1/campaigns/${campaignId}`);
    expect(body.referral_program).toMatchObject({ ...referral_program, referee_reward: { amount: 200 } });
  });

  it('repeated under its key is one change', async () => {
    const { campaignId } = await campaignOf(0);
    const headers = { 'idempotency-key': 'update once' };
    const change = () => fixture.call('PUT', `/v1/campaigns/${campaignId}`, { description: 'once' }, headers);
    const [first, second] = [await change(), await change()];
    expect([first.status, second.status]).toEqual([200, 200]);
    const told = (await fixture.events.readStream('campaign', project.id, campaignId)).map(
      ({ type }) => type,
    );
    expect(told.filter((type) => type === 'CampaignUpdated')).toHaveLength(1);
  });
});
