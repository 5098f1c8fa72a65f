import type { BinEntriesWanted, BinEntry } from '@scrip/contracts/operations';
import { StaleRow } from '@scrip/event-store';
import { isRefused } from '@scrip/kernel';
import { waitUntil } from '@scrip/testing';
import {
  bootCampaigns,
  caller,
  type CampaignsFixture,
  claimOn,
  coupons,
  foldingProject,
  requestOf,
} from '../campaigns.fixture';
import { VoucherDeletion } from './voucher-deletion.handlers';

let fixture: CampaignsFixture;
let campaigns = 0;

beforeAll(async () => {
  fixture = await bootCampaigns();
});
afterAll(() => fixture?.running.close());

const ask = async (method: string, path: string, body?: unknown) => {
  const { status, body: answer } = await fixture.call(method, path, body);
  expect({ path, status, answer }).toMatchObject({ status: method === 'DELETE' ? 204 : 200 });
  return answer;
};
/** A campaign with generated codes. */
const campaign = async (count: number): Promise<{ id: string; codes: string[] }> => {
  campaigns += 1;
  const { id } = await ask(
    'POST',
    '/v1/campaigns',
    coupons(`deletion ${campaigns}`, { vouchers_count: count }),
  );
  const made = async () => (await shown(id)).vouchers_count === count;
  await waitUntil(made, { what: 'the codes' });
  const { vouchers } = await ask('GET', `/v1/vouchers?campaign_id=${id}`);
  return { id, codes: vouchers.map(({ code }: { code: string }) => code) };
};
const add = (campaignId: string, code: string) =>
  ask('POST', `/v1/campaigns/${campaignId}/vouchers/${code}`, {});
const shown = (campaignId: string) => ask('GET', `/v1/campaigns/${campaignId}`);
const remove = (code: string, query = '') => fixture.call('DELETE', `/v1/vouchers/${code}${query}`);
const statusOf = async (code: string) => (await fixture.call('GET', `/v1/vouchers/${code}`)).status;
const idOf = async (code: string): Promise<string> => (await ask('GET', `/v1/vouchers/${code}`)).id;
const codesOf = async (campaignId: string): Promise<string[]> => {
  const { vouchers } = await ask('GET', `/v1/vouchers?campaign_id=${campaignId}&order=code`);
  return vouchers.map(({ code }: { code: string }) => code);
};
const entries = async (wanted: Partial<BinEntriesWanted> = {}): Promise<BinEntry[]> => {
  const request = { limit: 100, order: 'id' as const, after: null, filters: null, ...wanted };
  const found = await fixture.port.listBinEntries(caller(), { wanted: request });
  if (isRefused(found)) throw new Error(found.details);
  return found;
};
const entryOf = async (code: string) => (await entries()).find(({ resource_name }) => resource_name === code);
const purge = (id: string) => fixture.port.purgeBinEntry(caller(), { id });

describe('a voucher that is deleted', () => {
  it('is found by no call, and leaves an entry in the bin', async () => {
    const { id, codes } = await campaign(2);
    const [gone, left] = codes as [string, string];
    const voucher = await idOf(gone);
    expect(await remove(gone)).toMatchObject({ status: 204 });
    for (const named of [gone, voucher])
      expect(await fixture.call('GET', `/v1/vouchers/${named}`)).toMatchObject({
        status: 404,
        body: { key: 'not_found', details: `Cannot find voucher with id ${named}`, resource_type: 'voucher' },
      });
    expect(await remove(gone)).toMatchObject({
      status: 404,
      body: { key: 'not_found', details: `Cannot find voucher with id ${gone}` },
    });
    expect(await codesOf(id)).toEqual([left]);
    const { total } = await ask('GET', `/v1/vouchers?campaign_id=${id}`);
    expect(total).toBe(1);
    expect((await ask('GET', `/v1/vouchers?ids[]=${voucher}`)).vouchers).toEqual([]);
    expect((await ask('GET', `/v1/vouchers?code=${gone}`)).vouchers).toEqual([]);
    expect(await entryOf(gone)).toEqual({
      id: expect.stringMatching(/^tbe_[0-9a-f]{32}$/) as string,
      created_at: expect.stringMatching(/Z$/) as string,
      deleted_by_user_id: null,
      resource_id: voucher,
      resource_type: 'voucher',
      resource_name: gone,
      resource_parent_id: id,
    });
  });

  it('keeps its code in the bin until it is purged there', async () => {
    const { id } = await campaign(1);
    await add(id, 'KEPT');
    await remove('KEPT');
    expect(await fixture.call('POST', `/v1/campaigns/${id}/vouchers/KEPT`, {})).toMatchObject({
      status: 409,
      body: {
        key: 'duplicate_found',
        details: expect.stringMatching(
          /^Duplicated voucher exists with id KEPT\. It lies in the trash bin: DELETE \/v1\/trash-bin\/tbe_\w+ frees it$/,
        ),
      },
    });
    const { id: entry } = (await entryOf('KEPT'))!;
    expect(await purge(entry)).toEqual({ purged: true });
    expect(await purge(entry)).toMatchObject({ refused: 'not_found', resourceType: 'bin_entry' });
    expect(await entryOf('KEPT')).toBeUndefined();
    const again = await add(id, 'KEPT');
    expect(await idOf('KEPT')).toBe(again.id);
  });

  it('with force frees its code at once and leaves no entry', async () => {
    const { id, codes } = await campaign(2);
    const [made] = codes as [string];
    await add(id, 'FREED');
    for (const code of ['FREED', made]) {
      const before = await idOf(code);
      expect(await remove(code, '?force=true')).toMatchObject({ status: 204 });
      expect(await entryOf(code)).toBeUndefined();
      const { id: after } = await add(id, code);
      expect(after).not.toBe(before);
      expect(await statusOf(before)).toBe(404);
    }
  });

  it('lets the number of codes of its campaign fall, however the code came about', async () => {
    const { id, codes } = await campaign(3);
    await add(id, 'SINGLE-1');
    await add(id, 'SINGLE-2');
    expect(await shown(id)).toMatchObject({ vouchers_count: 5 });
    await remove(codes[0]!);
    expect(await shown(id)).toMatchObject({ vouchers_count: 4 });
    await remove(codes[1]!, '?force=true');
    expect(await shown(id)).toMatchObject({ vouchers_count: 3 });
    await remove('SINGLE-1');
    await remove('SINGLE-2', '?force=true');
    expect(await shown(id)).toMatchObject({ vouchers_count: 1 });
    await purge((await entryOf(codes[0]!))!.id);
    await purge((await entryOf('SINGLE-1'))!.id);
    expect(await shown(id)).toMatchObject({ vouchers_count: 1 });
    const { campaigns: listed } = await ask(
      'GET',
      `/v1/campaigns?filters[campaigns_id][conditions][$is]=${id}`,
    );
    expect(listed).toMatchObject([{ vouchers_count: 1 }]);
    expect(await fixture.call('POST', `/v1/campaigns/${id}/vouchers?vouchers_count=2`, {})).toMatchObject({
      status: 202,
    });
    await waitUntil(async () => (await shown(id)).vouchers_count === 3, { what: 'the codes' });
  });

  it('names the user who deleted', async () => {
    const { id } = await campaign(1);
    await add(id, 'BY-USER');
    const deletion = fixture.get(VoucherDeletion);
    const context = { ...caller(), user: { id: 'user_1' } };
    expect(await deletion.delete(context, 'BY-USER', { bin_entry_id: 'tbe_by_user' })).toBeNull();
    expect(await entryOf('BY-USER')).toMatchObject({ id: 'tbe_by_user', deleted_by_user_id: 'user_1' });
  });

  it('is of one project', async () => {
    const { id } = await campaign(1);
    await add(id, 'MINE');
    const asOther = { 'x-app-token': foldingProject.id };
    expect(await fixture.call('DELETE', '/v1/vouchers/MINE', undefined, asOther)).toMatchObject({
      status: 404,
    });
    await remove('MINE');
    const { id: entry } = (await entryOf('MINE'))!;
    const other = caller(foldingProject);
    expect(await fixture.port.purgeBinEntry(other, { id: entry })).toMatchObject({ refused: 'not_found' });
    expect(await entryOf('MINE')).toBeDefined();
  });

  it('is never purged by the entry of another deletion', async () => {
    const { id } = await campaign(1);
    await add(id, 'OTHER-ENTRY');
    const voucher = await idOf('OTHER-ENTRY');
    await remove('OTHER-ENTRY');
    const deletion = fixture.get(VoucherDeletion);
    await expect(deletion.purge(caller(), { id: voucher, bin_entry_id: 'tbe_0' })).rejects.toThrow(StaleRow);
    expect(await entryOf('OTHER-ENTRY')).toBeDefined();
  });
});

describe('a deletion beside redemptions', () => {
  const settled = async (request: ReturnType<typeof claimOn>, verdict: 'RECORDED' | 'ABANDONED') => {
    const { redemption_id, claim_id, object_id } = request;
    await fixture.port.settle(caller(), { verdicts: [{ redemption_id, claim_id, object_id, verdict }] });
  };
  const claimed = async (request: ReturnType<typeof claimOn>) => {
    const [answer] = await fixture.port.claim(caller(), requestOf(request));
    if (!answer) throw new Error('a claim has no answer');
    return 'refusal' in answer ? answer.refusal.refused : ('granted' as const);
  };
  const refunded = async ({ redemption_id, claim_id, object_id }: ReturnType<typeof claimOn>) => {
    const refund = { redemption_id, claim_id, object_id, rollback_id: `rr_${claim_id}` };
    const [answer] = await fixture.port.refund(caller(), { claims: [refund] });
    return answer && 'granted' in answer ? answer.granted.voucher.redemption.redeemed_quantity : answer;
  };
  const stateOf = async ({ claim_id }: { claim_id: string }) =>
    (await fixture.database.query('SELECT state FROM claims WHERE claim_id = $1', [claim_id]))[0]?.state;

  it.each(['', '?force=true'])('of before are settled and rolled back as ever%s', async (query) => {
    const { codes } = await campaign(2);
    const object = await idOf(codes[0]!);
    const [kept, lost] = [claimOn(object), claimOn(object)];
    for (const one of [kept, lost]) expect(await claimed(one)).toBe('granted');
    expect(await remove(codes[0]!, query)).toMatchObject({ status: 204 });
    expect(await claimed(claimOn(object))).toBe('not_found');
    await settled(kept, 'RECORDED');
    await settled(lost, 'ABANDONED');
    expect([await stateOf(kept), await stateOf(lost)]).toEqual(['CONFIRMED', 'REVERTED']);
    expect(await refunded(kept)).toBe(0);
    expect(await refunded(kept)).toBe(0);
    expect(await statusOf(object)).toBe(404);
    expect(await claimed(claimOn(object))).toBe('not_found');
  });

  it('of fifty callers comes before or after each of them', async () => {
    const { id, codes } = await campaign(2);
    const object = await idOf(codes[0]!);
    const requests = Array.from({ length: 40 }, () => claimOn(object));
    const [answers, deletions] = await Promise.all([
      Promise.all(requests.map(claimed)),
      Promise.all(Array.from({ length: 10 }, () => remove(codes[0]!))),
    ]);
    expect(deletions.map(({ status }) => status).sort()).toEqual([
      204,
      ...Array.from({ length: 9 }, () => 404),
    ]);
    expect(answers.every((answer) => answer === 'granted' || answer === 'not_found')).toBe(true);
    const granted = requests.filter((_, index) => answers[index] === 'granted');
    const uses = async () =>
      (
        await fixture.database.query(
          `SELECT coalesce((state->'voucher'->'redemption'->>'redeemed_quantity')::int, 0) AS n FROM vouchers WHERE id = $1`,
          [object],
        )
      )[0].n;
    expect(await uses()).toBe(granted.length);
    await Promise.all(granted.map((request) => settled(request, 'RECORDED')));
    await Promise.all(granted.map((request) => refunded(request)));
    expect(await uses()).toBe(0);
    expect(await shown(id)).toMatchObject({ vouchers_count: 1 });
    expect(await statusOf(object)).toBe(404);
    expect((await entries()).filter(({ resource_id }) => resource_id === object)).toHaveLength(1);
  });

  it('leaves states that fold again from their events', async () => {
    expect(await fixture.events.verifyState()).toEqual([]);
  });
});
