import type { VoucherSnapshot, VoucherTemplate } from '@scrip/contracts/campaigns';
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
import { reviseDefinitions } from './definitions.table';

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

const discount = (percent_off: number) => ({ discount: { type: 'PERCENT' as const, percent_off } });

/** A campaign of 10 % with generated codes, and their ids. */
const campaignOf = async (codes: number): Promise<{ campaignId: string; ids: string[] }> => {
  count += 1;
  const fields = { vouchers_count: codes, expiration_date: '2099-01-01' };
  const { body } = await fixture.call('POST', '/v1/campaigns', coupons(`revisions ${count}`, fields));
  const ids = await waitUntil(
    async () => {
      const { body: list } = await fixture.call('GET', `/v1/vouchers?campaign_id=${body.id}&limit=100`);
      // The end of the code order is an event of the campaign, and would write over the revision that a test sets by hand.
      const { body: shown } = await fixture.call('GET', `/v1/campaigns/${body.id}`);
      return (
        shown.vouchers_generation_status === 'DONE' &&
        list.vouchers.length === codes &&
        list.vouchers.map(({ id }: { id: string }) => id)
      );
    },
    { what: 'the codes' },
  );
  return { campaignId: body.id, ids };
};

/** As an update of the campaign: a revision of its definitions, and one of its own. */
const revise = (
  campaignId: string,
  { metadata: set = {}, ...fields }: Partial<VoucherTemplate>,
): Promise<void> =>
  fixture.database.transaction(async (manager) => {
    await manager.query('SELECT 1 FROM campaigns WHERE id = $1 FOR UPDATE', [campaignId]);
    await reviseDefinitions(manager, {
      ...{ projectId: project.id, campaignId, fields },
      metadata: { set, unset: [] },
    });
    await manager.query('UPDATE campaigns SET revision = revision + 1 WHERE id = $1', [campaignId]);
  });

const claimed = async (id: string, { port } = fixture): Promise<VoucherSnapshot> => {
  const [answer] = await port.claim(caller(), requestOf(claimOn(id)));
  if (!answer || 'refusal' in answer) throw new Error(`no use of ${id} is left`);
  return answer.granted.voucher;
};
const percentOf = ({ discount: of }: Pick<VoucherSnapshot, 'discount'>) =>
  (of as { percent_off: number }).percent_off;
const shown = async (id: string): Promise<VoucherSnapshot> =>
  (await fixture.call('GET', `/v1/vouchers/${id}`)).body;
const pinOf = async (id: string): Promise<number | null> =>
  (await fixture.database.query('SELECT definition_revision FROM vouchers WHERE id = $1', [id]))[0]
    .definition_revision;

describe('a revision of a definition', () => {
  it('reaches the vouchers without a state, and no used one', async () => {
    const { campaignId, ids } = await campaignOf(2);
    const [used, fresh] = ids as [string, string];
    await claimed(used);
    await revise(campaignId, discount(20));
    expect([percentOf(await shown(used)), percentOf(await shown(fresh))]).toEqual([10, 20]);
    expect(percentOf(await claimed(used))).toBe(10);
    expect(percentOf(await claimed(fresh))).toBe(20);
    await revise(campaignId, discount(30));
    expect([percentOf(await claimed(used)), percentOf(await claimed(fresh))]).toEqual([10, 20]);
    expect([await pinOf(used), await pinOf(fresh)]).toEqual([1, 2]);
    expect(await fixture.events.verifyState()).toEqual([]);
  });

  it('leaves alone what a code order set itself', async () => {
    const { campaignId, ids } = await campaignOf(2);
    await fixture.database.query(
      `UPDATE voucher_definitions SET own_fields = '{expiration_date}' WHERE template->>'campaign_id' = $1`,
      [campaignId],
    );
    await revise(campaignId, { expiration_date: '2030-01-01T00:00:00.000Z', ...discount(20) });
    expect(await shown(ids[0]!)).toMatchObject({
      expiration_date: '2099-01-01T00:00:00.000Z',
      ...discount(20),
    });
  });

  it('that changes nothing is none', async () => {
    const { campaignId, ids } = await campaignOf(2);
    await revise(campaignId, discount(10));
    await claimed(ids[0]!);
    expect(await pinOf(ids[0]!)).toBe(1);
  });

  it('is what a list finds vouchers by, as soon as it is there', async () => {
    const { campaignId, ids } = await campaignOf(3);
    const [used, changed, fresh] = ids as [string, string, string];
    await claimed(used);
    await revise(campaignId, { metadata: { season: 'autumn' } });
    await claimed(changed);
    const found = async (season: string): Promise<string[]> => {
      const path = `/v1/vouchers?campaign_id=${campaignId}&filters[metadata.season][conditions][$is][0]=${season}`;
      return (await fixture.call('GET', path)).body.vouchers.map(({ id }: { id: string }) => id).sort();
    };
    expect(await found('autumn')).toEqual([changed, fresh].sort());
    // A use of a voucher whose revision says something else than the newest one gives it columns of its own.
    await claimed(used);
    const { body } = await fixture.call('GET', `/v1/vouchers?campaign_id=${campaignId}`);
    expect(body.total).toBe(3);
    expect(await found('autumn')).toEqual([changed, fresh].sort());
  });
});

describe('a first use', () => {
  it('never goes by a revision that was superseded before it began, at another replica either', async () => {
    const { campaignId, ids } = await campaignOf(4);
    // Each process remembers the vouchers as they were.
    for (const id of ids)
      for (const { port } of [fixture, replica]) await port.load(caller(), { objects: [id] });
    await revise(campaignId, discount(20));
    const percents = await Promise.all(ids.map((id, at) => claimed(id, at % 2 ? replica : fixture)));
    expect(percents.map(percentOf)).toEqual([20, 20, 20, 20]);
  });

  it('that races an update goes by the old one or the new one, as its row says from then on', async () => {
    const { campaignId, ids } = await campaignOf(50);
    for (const id of ids) await replica.port.load(caller(), { objects: [id] });
    let answered = false;
    const late: boolean[] = [];
    const uses = ids.map(async (id, at) => {
      await waitUntil(() => at < 25 || answered, { what: 'the turn of the use' });
      late[at] = answered;
      return claimed(id, at % 2 ? replica : fixture);
    });
    await revise(campaignId, discount(20));
    answered = true;
    const vouchers = await Promise.all(uses);
    for (const [at, voucher] of vouchers.entries()) {
      const percent = percentOf(voucher);
      expect(late[at] ? [20] : [10, 20]).toContain(percent);
      expect(percentOf(await shown(voucher.id))).toBe(percent);
      expect(await pinOf(voucher.id)).toBe(percent / 10);
    }
    expect(late.filter(Boolean).length).toBeGreaterThanOrEqual(25);
    expect(await fixture.events.verifyState()).toEqual([]);
  });
});

describe('the switch of a campaign', () => {
  const turn = async (campaignId: string, to: 'enable' | 'disable') =>
    expect(await fixture.call('POST', `/v1/campaigns/${campaignId}/${to}`)).toMatchObject({
      status: 200,
      body: {},
    });
  const disabled = { refusal: { refused: 'voucher_disabled' } };

  it('binds every use that begins after it was turned, at another replica too', async () => {
    const { campaignId, ids } = await campaignOf(2);
    for (const id of ids) for (const one of [fixture, replica]) await claimed(id, one);
    await turn(campaignId, 'disable');
    for (const [at, id] of ids.entries()) {
      const { port } = at % 2 ? replica : fixture;
      expect(await port.claim(caller(), requestOf(claimOn(id)))).toMatchObject([disabled]);
    }
    await turn(campaignId, 'enable');
    for (const id of ids) await claimed(id);
  });

  it('lets no use through that begins after it was turned off while others run', async () => {
    const { campaignId, ids } = await campaignOf(50);
    for (const id of ids)
      for (const { port } of [fixture, replica]) await port.load(caller(), { objects: [id] });
    let answered = false;
    const late: boolean[] = [];
    const uses = ids.map(async (id, at) => {
      await waitUntil(() => at < 25 || answered, { what: 'the turn of the use' });
      late[at] = answered;
      const { port } = at % 2 ? replica : fixture;
      return (await port.claim(caller(), requestOf(claimOn(id))))[0];
    });
    await turn(campaignId, 'disable');
    answered = true;
    const answers = await Promise.all(uses);
    expect(late.filter(Boolean).length).toBeGreaterThanOrEqual(25);
    for (const [at, answer] of answers.entries()) {
      if (late[at] || 'refusal' in answer!) expect(answer).toMatchObject(disabled);
      const taken = 'refusal' in answer! ? 0 : 1;
      expect((await shown(ids[at]!)).redemption.redeemed_quantity).toBe(taken);
    }
  });

  it('is turned once by many callers at once', async () => {
    const { campaignId } = await campaignOf(2);
    await Promise.all(Array.from({ length: 50 }, () => turn(campaignId, 'disable')));
    const told = (await fixture.events.readStream('campaign', project.id, campaignId)).map(
      ({ type }) => type,
    );
    expect(told.filter((type) => type === 'CampaignDisabled')).toHaveLength(1);
    expect(await fixture.events.verifyState()).toEqual([]);
  });
});
