import type { BinEntry } from '@scrip/contracts/operations';
import { Fault, isRefused } from '@scrip/kernel';
import { waitUntil } from '@scrip/testing';
import type { DataSource } from 'typeorm';
import {
  bootCampaigns,
  caller,
  type CampaignsFixture,
  claimOn,
  coupons,
  project,
  requestOf,
} from '../campaigns.fixture';
import { CampaignDeletion } from './campaign-deletion.handlers';

let fixture: CampaignsFixture;
let names = 0;

beforeAll(async () => {
  fixture = await bootCampaigns();
});
afterAll(() => fixture?.running.close());

const call = (method: string, path: string, body?: unknown) => fixture.call(method, path, body);
/** A campaign with generated codes and some that were added singly. */
const campaign = async (count: number, singles: readonly string[] = []) => {
  names += 1;
  const name = `gone ${names}`;
  const { body } = await call('POST', '/v1/campaigns', coupons(name, { vouchers_count: count }));
  const id = body.id as string;
  for (const code of singles) await call('POST', `/v1/campaigns/${id}/vouchers/${code}`, {});
  const made = async () =>
    (await call('GET', `/v1/campaigns/${id}`)).body.vouchers_count === count + singles.length;
  await waitUntil(made, { what: 'the codes' });
  const { body: list } = await call('GET', `/v1/vouchers?campaign_id=${id}&limit=100`);
  const vouchers = list.vouchers as { id: string; code: string }[];
  return { id, name, vouchers };
};
const remove = (id: string, query = '') => call('DELETE', `/v1/campaigns/${id}${query}`);
/** What a deletion's task ended with. */
const ended = async (taskId: string) => {
  const found = () => fixture.port.loadAsyncAction(caller(), { id: taskId });
  await waitUntil(
    async () => {
      const task = await found();
      return !isRefused(task) && task.status === 'DONE';
    },
    { what: 'the deletion' },
  );
  const task = await found();
  return isRefused(task) ? null : task.result;
};
const deleted = async (id: string, query = '') => {
  const { status, body } = await remove(id, query);
  expect({ status, body }).toEqual({ status: 202, body: { async_action_id: expect.stringMatching(/^aa_/) } });
  return ended(body.async_action_id);
};
const entries = async (): Promise<BinEntry[]> => {
  const wanted = { limit: 100, order: 'id' as const, after: null, filters: null };
  const found = await fixture.port.listBinEntries(caller(), { wanted });
  return isRefused(found) ? [] : found;
};
const claimed = async (request: ReturnType<typeof claimOn>) => {
  const [answer] = await fixture.port.claim(caller(), requestOf(request));
  return answer && 'granted' in answer ? 'granted' : answer?.refusal.refused;
};
const rows = async (id: string) =>
  (
    await fixture.database.query(
      `SELECT count(*)::int AS all, count(*) FILTER (WHERE deleted_at IS NULL)::int AS live,
         count(code_key)::int AS blocked FROM vouchers WHERE campaign_id = $1`,
      [id],
    )
  )[0];

describe('a campaign that is deleted', () => {
  it('is gone at once, and its vouchers follow', async () => {
    const { id, name, vouchers } = await campaign(3, ['WITH-1', 'WITH-2']);
    const [used] = vouchers.filter(({ code }) => !code.startsWith('WITH'));
    expect(await claimed(claimOn(used!.id))).toBe('granted');
    const { body } = await remove(id);
    for (const named of [id, name])
      expect(await call('GET', `/v1/campaigns/${named}`)).toMatchObject({
        status: 404,
        body: {
          key: 'not_found',
          details: `Cannot find campaign with id ${named}`,
          resource_type: 'campaign',
        },
      });
    expect((await call('GET', `/v1/vouchers/${used!.code}`)).status).toBe(404);
    expect((await call('DELETE', `/v1/vouchers/${used!.code}`)).status).toBe(404);
    expect((await remove(id)).status).toBe(404);
    expect((await call('POST', `/v1/campaigns/${id}/vouchers`, {})).status).toBe(404);
    expect((await call('POST', `/v1/campaigns/${id}/enable`)).status).toBe(404);
    for (const one of vouchers) expect(await claimed(claimOn(one.id))).toBe('not_found');
    expect(await ended(body.async_action_id)).toEqual({ message: 'Deleted 5 vouchers.', done_count: 5 });
    expect(await rows(id)).toEqual({ all: 5, live: 0, blocked: 5 });
    expect((await call('GET', `/v1/vouchers?campaign_id=${id}`)).body).toMatchObject({
      vouchers: [],
      total: 0,
    });
    const { body: list } = await call('GET', `/v1/campaigns?filters[campaigns_id][conditions][$is]=${id}`);
    expect(list).toMatchObject({ campaigns: [], total: 0 });
  });

  it('keeps its name and codes in the bin until it is purged there', async () => {
    const { id, name } = await campaign(2, ['STAYS']);
    await call('DELETE', '/v1/vouchers/STAYS');
    expect(await deleted(id)).toEqual({ message: 'Deleted 2 vouchers.', done_count: 2 });
    expect(await call('POST', '/v1/campaigns', coupons(name))).toMatchObject({
      status: 409,
      body: {
        key: 'duplicate_found',
        details: expect.stringMatching(
          new RegExp(
            `^Duplicated campaign exists with name ${name}\\. It lies in the trash bin: DELETE /v1/trash-bin/tbe_\\w+ frees it$`,
          ),
        ),
      },
    });
    const below = (await entries()).filter(({ resource_parent_id }) => resource_parent_id === id);
    expect(below).toMatchObject([{ resource_name: 'STAYS' }]);
    const entry = (await entries()).find(({ resource_id }) => resource_id === id)!;
    expect(entry).toMatchObject({ resource_type: 'campaign', resource_name: name, resource_parent_id: null });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => fixture.port.purgeBinEntry(caller(), { id: entry.id })),
    );
    expect(answers.filter((answer) => !isRefused(answer))).toHaveLength(1);
    await waitUntil(async () => (await rows(id)).blocked === 0, { what: 'the codes to be free' });
    await waitUntil(
      async () => (await entries()).every(({ resource_parent_id }) => resource_parent_id !== id),
      {
        what: 'the entries to go',
      },
    );
    const { status, body } = await call('POST', '/v1/campaigns', coupons(name));
    expect(status).toBe(200);
    expect((await call('POST', `/v1/campaigns/${body.id}/vouchers/STAYS`, {})).status).toBe(200);
  });

  it('with force frees its name and its codes', async () => {
    const { id, name, vouchers } = await campaign(2, ['FREE-1', 'FREE-2']);
    await call('DELETE', '/v1/vouchers/FREE-2');
    await claimed(claimOn(vouchers.find(({ code }) => code === 'FREE-1')!.id));
    expect(await deleted(id, '?force=true')).toEqual({ message: 'Deleted 4 vouchers.', done_count: 4 });
    expect(await rows(id)).toEqual({ all: 2, live: 0, blocked: 0 });
    expect((await entries()).filter((one) => [one.resource_id, one.resource_parent_id].includes(id))).toEqual(
      [],
    );
    const { body } = await call('POST', '/v1/campaigns', coupons(name));
    const generated = vouchers.filter(({ code }) => !code.startsWith('FREE'));
    for (const { code } of [{ code: 'FREE-1' }, { code: 'FREE-2' }, ...generated])
      expect(
        (await call('POST', `/v1/campaigns/${body.id}/vouchers/${encodeURIComponent(code)}`, {})).status,
      ).toBe(200);
  });

  it.each(['before', 'in a read before', 'after'])(
    'is deleted once when the connection is lost %s the commit',
    async (moment) => {
      const { id, name } = await campaign(2);
      const { database } = fixture;
      const cut = jest.fn((work: never) => database.transaction(work));
      cut.mockImplementationOnce(async (work) => {
        if (moment === 'after') await database.transaction(work);
        const lost = new Error('Connection terminated unexpectedly');
        throw moment === 'in a read before' ? new Fault('unavailable', 'no answer', { cause: lost }) : lost;
      });
      const dataSource = Object.assign(Object.create(database) as DataSource, { transaction: cut });
      const handlers = fixture.get(CampaignDeletion) as unknown as { dataSource: DataSource };
      const whole = jest.replaceProperty(handlers, 'dataSource', dataSource);
      const { status, body } = await remove(id);
      whole.restore();
      expect([status, cut.mock.calls.length]).toEqual([202, 2]);
      expect(await ended(body.async_action_id)).toEqual({ message: 'Deleted 2 vouchers.', done_count: 2 });
      expect((await entries()).filter(({ resource_name }) => resource_name === name)).toHaveLength(1);
      const told = await fixture.events.readStream('campaign', project.id, id);
      expect(told.filter(({ type }) => type === 'CampaignDeleted')).toHaveLength(1);
    },
  );

  it('ends its code orders', async () => {
    const { id } = await campaign(1);
    const orders = await Promise.all(
      Array.from({ length: 3 }, () => call('POST', `/v1/campaigns/${id}/vouchers?vouchers_count=20000`, {})),
    );
    const { body } = await remove(id);
    await ended(body.async_action_id);
    for (const { body: order } of orders)
      await waitUntil(
        async () => {
          const task = await fixture.port.loadAsyncAction(caller(), { id: order.async_action_id });
          return !isRefused(task) && (task.status === 'FAILED' || task.status === 'DONE');
        },
        { what: 'the code order to end' },
      );
    expect((await rows(id)).live).toBe(0);
  });

  it('beside fifty uses gives none of them after its answer, and loses none of before', async () => {
    const { id, vouchers } = await campaign(50);
    let answered = false;
    const late: string[] = [];
    const using = vouchers.map(async (voucher) => {
      const request = claimOn(voucher.id);
      const after = answered;
      const answer = await claimed(request);
      if (after && answer === 'granted') late.push(voucher.id);
      return { request, answer };
    });
    const removing = remove(id).then((answer) => {
      answered = true;
      return answer;
    });
    const uses = await Promise.all(using);
    const { body } = await removing;
    await ended(body.async_action_id);
    expect(late).toEqual([]);
    const granted = uses.filter(({ answer }) => answer === 'granted').map(({ request }) => request);
    const verdicts = granted.map(({ redemption_id, claim_id, object_id }) => ({
      redemption_id,
      claim_id,
      object_id,
      verdict: 'RECORDED' as const,
    }));
    await fixture.port.settle(caller(), { verdicts });
    const claims = granted.map(({ redemption_id, claim_id, object_id }) => ({
      redemption_id,
      claim_id,
      object_id,
      rollback_id: `rr_${claim_id}`,
    }));
    const refunds = await fixture.port.refund(caller(), { claims });
    expect(refunds.every((one) => 'granted' in one)).toBe(true);
    expect(await rows(id)).toMatchObject({ live: 0, all: 50 });
  });

  it('takes no code that is added beside its deletion', async () => {
    const { id } = await campaign(1);
    const adding = Array.from({ length: 40 }, (_, index) =>
      call('POST', `/v1/campaigns/${id}/vouchers/BESIDE-${index}`, {}),
    );
    const { body } = await remove(id);
    const statuses = (await Promise.all(adding)).map(({ status }) => status);
    expect(statuses.every((status) => status === 200 || status === 404)).toBe(true);
    await ended(body.async_action_id);
    expect(await rows(id)).toMatchObject({ live: 0 });
    expect((await rows(id)).all).toBe(1 + statuses.filter((status) => status === 200).length);
  });

  it('leaves states that fold again from their events', async () => {
    expect(await fixture.events.verifyState()).toEqual([]);
  });
});
