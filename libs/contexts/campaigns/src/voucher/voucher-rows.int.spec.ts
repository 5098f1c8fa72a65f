import type { VoucherSnapshot } from '@scrip/contracts/campaigns';
import { isRefused } from '@scrip/kernel';
import { waitUntil } from '@scrip/testing';
import {
  bootCampaigns,
  caller,
  type CampaignsFixture,
  claimOn,
  coupons,
  requestOf,
} from '../campaigns.fixture';

let fixture: CampaignsFixture;
let campaignId: string;
let ids: string[];

beforeAll(async () => {
  fixture = await bootCampaigns();
  const fields = { vouchers_count: 4, expiration_date: '2099-01-01', metadata: { from: 'campaign' } };
  campaignId = (await fixture.call('POST', '/v1/campaigns', coupons('rows', fields))).body.id;
  ids = await waitUntil(
    async () => {
      const rows = await fixture.database.query<{ id: string }[]>('SELECT id FROM vouchers ORDER BY id');
      return rows.length === 4 && rows.map(({ id }) => id);
    },
    { what: 'the codes' },
  );
});
afterAll(() => fixture?.running.close());

/** The voucher as a claim on it was answered. */
const claimed = async (id: string, { port } = fixture): Promise<VoucherSnapshot> => {
  const [answer] = await port.claim(caller(), requestOf(claimOn(id)));
  if (!answer || 'refusal' in answer) throw new Error(`no use of ${id} is left`);
  return answer.granted.voucher;
};
const rowOf = async (id: string) =>
  (
    await fixture.database.query(
      'SELECT state, definition_id, definition_revision FROM vouchers WHERE id = $1',
      [id],
    )
  )[0];
const shown = async (id: string) => (await fixture.call('GET', `/v1/vouchers/${id}`)).body;
const found = async (filter: string): Promise<string[]> => {
  const { body } = await fixture.call('GET', `/v1/vouchers?campaign_id=${campaignId}&${filter}`);
  return body.vouchers.map(({ id }: { id: string }) => id).sort();
};
const loaded = async (id: string) => {
  const [voucher] = await fixture.port.load(caller(), { objects: [id] });
  return voucher && !isRefused(voucher) ? voucher.voucher : undefined;
};

describe('a use of a voucher', () => {
  it('changes its row in place, so that no index is written', async () => {
    const added = await fixture.call('POST', '/v1/campaigns', coupons('in place', { vouchers_count: 2 }));
    const path = `/v1/campaigns/${added.body.id}/vouchers`;
    const body = { metadata: { note: 'x'.repeat(600), tags: ['a', 'b'] }, redemption: { quantity: 9 } };
    const single = (await fixture.call('POST', path, body)).body.id as string;
    const generated = await waitUntil(
      async () => {
        const { body: list } = await fixture.call('GET', `/v1/vouchers?campaign_id=${added.body.id}`);
        return list.vouchers.find(({ id }: { id: string }) => id !== single)?.id as string | undefined;
      },
      { what: 'the codes' },
    );
    const updates = async (): Promise<[all: number, inPlace: number]> => {
      const [row] = await fixture.database.query(
        `SELECT n_tup_upd::int AS all, n_tup_hot_upd::int AS "inPlace" FROM pg_stat_user_tables
         WHERE schemaname = 'campaigns' AND relname = 'vouchers'`,
      );
      return [row.all, row.inPlace];
    };
    const claims = [single, generated, single, generated, single, generated];
    for (const id of claims) await claimed(id);
    const told = async () => (await updates())[0] === claims.length;
    await waitUntil(told, { what: 'the statistics', timeoutMs: 60_000 });
    // None of them would be, were one column in an index. Some are not where a page is full: old rows leave it only
    // when no transaction of the server can see them any more.
    expect((await updates())[1]).toBeGreaterThan(0);
  });
});

describe('the row of a generated voucher', () => {
  it('stores what its definition does not say, and goes on naming it', async () => {
    const [used, untouched] = ids as [string, string];
    const before = await rowOf(used);
    const { updated_at } = await claimed(used);
    expect(await rowOf(used)).toEqual({
      state: { voucher: { redemption: { quantity: null, redeemed_quantity: 1 }, updated_at } },
      definition_id: before.definition_id,
      definition_revision: 1,
    });
    expect(before.definition_revision).toBeNull();
    const { id, code, redemption, publish: ____, assets, ...rest } = await shown(used);
    const { id: _, code: __, redemption: unused, publish, assets: ___, ...template } = await shown(untouched);
    expect(publish.count).toBe(0);
    expect(rest).toEqual({ ...template, updated_at });
    expect(template.updated_at).toBeNull();
    expect([redemption.redeemed_quantity, unused.redeemed_quantity]).toEqual([1, 0]);
    expect(await loaded(used)).toMatchObject({ id, code, metadata: { from: 'campaign' } });
    expect(assets).toBeDefined();
  });

  it('of a gift card is found by what was redeemed of it', async () => {
    const gifts = {
      name: 'gift rows',
      voucher: { type: 'GIFT_VOUCHER', gift: { amount: 500 } },
      vouchers_count: 2,
    };
    const { body: campaign } = await fixture.call('POST', '/v1/campaigns', gifts);
    const cards = await waitUntil(
      async () => {
        const { body } = await fixture.call('GET', `/v1/vouchers?campaign_id=${campaign.id}`);
        return body.total === 2 && body.vouchers.map(({ id }: { id: string }) => id);
      },
      { what: 'the cards' },
    );
    const [used, untouched] = cards as [string, string];
    await fixture.call('POST', `/v1/vouchers/${used}/balance`, { amount: -100 });
    const { claims, ...request } = requestOf(claimOn(used));
    const spent_on = { redemption_id: 'r_1', order: null };
    const asks = { uses: 1 as const, credits: 300, spent_on };
    const spending = claims.map((claim) => ({ ...claim, asks }));
    expect(await fixture.port.claim(caller(), { ...request, claims: spending })).toMatchObject([
      { granted: {} },
    ]);
    const amounts = async (operator: string, value: string) => {
      const filter = `filters[redemption.redeemed_amount][conditions][${operator}][0]=${value}`;
      const { body } = await fixture.call('GET', `/v1/vouchers?${filter}`);
      return body.vouchers.map(({ id }: { id: string }) => id).sort();
    };
    expect(await amounts('$is', '300')).toEqual([used]);
    expect(await amounts('$less_than', '300')).toEqual([untouched]);
    expect(await amounts('$has_value', 'true')).toEqual([...cards].sort());
    expect((await shown(used)).redemption.redeemed_amount).toBe(300);
    expect((await shown(untouched)).redemption.redeemed_amount).toBe(0);
  });

  it('is found by what it says itself and by what its definition says', async () => {
    expect(await found('filters[redemption.redeemed_quantity][conditions][$more_than][0]=0')).toEqual([
      ids[0],
    ]);
    expect(await found('filters[metadata.from][conditions][$is][0]=campaign')).toEqual(ids);
    await fixture.database.query(
      `UPDATE vouchers t SET state = jsonb_build_object('voucher', o.own), filterable = d.template || o.own
       FROM voucher_definitions d, (SELECT '{"expiration_date": null, "metadata": {"from": "shop"}}'::jsonb) AS o(own)
       WHERE d.id = t.definition_id AND t.id = $1`,
      [ids[3]],
    );
    expect(await found('filters[expiration_date][conditions][$has_value]=')).toEqual(ids.slice(0, 3));
    expect(await found('filters[metadata.from][conditions][$is][0]=shop')).toEqual([ids[3]]);
    const named = ['camp_none', campaignId, campaignId].map(
      (id, place) => `filters[campaign_ids][conditions][$in][${place}]=${id}`,
    );
    const { body: ofNamed } = await fixture.call('GET', `/v1/vouchers?${named.join('&')}`);
    expect(ofNamed.vouchers.map(({ id }: { id: string }) => id).sort()).toEqual(ids);
    expect(ofNamed.total).toBe(ids.length);
    expect(await shown(ids[3]!)).toMatchObject({ expiration_date: null, metadata: { from: 'shop' } });
    await fixture.database.query('UPDATE vouchers SET state = NULL, filterable = NULL WHERE id = $1', [
      ids[3],
    ]);
  });

  it('of a release that stored all of it is read, changed and folded as before', async () => {
    const [, , older] = ids as [string, string, string];
    const voucher = await loaded(older);
    await claimed(older);
    await fixture.database.query(
      `UPDATE events SET schema_version = 1, data = (data::jsonb - 'consumed_at')::json WHERE stream_id = $1`,
      [older],
    );
    await fixture.database.query(`UPDATE vouchers SET state = $2 WHERE id = $1`, [
      older,
      {
        voucher: { ...voucher, redemption: { quantity: null, redeemed_quantity: 1 } },
        code_key: voucher!.code,
      },
    ]);
    expect(await loaded(older)).toEqual({ ...voucher, redemption: { quantity: null, redeemed_quantity: 1 } });
    expect(await fixture.events.verifyState()).toEqual([]);
    const again = await bootCampaigns(fixture.databaseUrl);
    let updated_at: string | null;
    try {
      ({ updated_at } = await claimed(older, again));
    } finally {
      await again.running.close();
    }
    expect((await rowOf(older)).state).toEqual({
      voucher: { redemption: { quantity: null, redeemed_quantity: 2 }, updated_at },
    });
    expect(await fixture.events.verifyState()).toEqual([]);
  });

  it('gets another definition only as long as it has no state of its own', async () => {
    const repoint = (id: string) =>
      fixture.database.query(`UPDATE vouchers SET definition_id = 'def_other' WHERE id = $1`, [id]);
    await expect(repoint(ids[0]!)).rejects.toMatchObject({ constraint: 'vouchers_definition' });
    await expect(
      fixture.database.query(`UPDATE vouchers SET definition_revision = 2 WHERE id = $1`, [ids[0]]),
    ).rejects.toMatchObject({ constraint: 'vouchers_definition' });
    await repoint(ids[3]!);
    expect(await rowOf(ids[3]!)).toMatchObject({ definition_id: 'def_other' });
    await fixture.database.query(
      `UPDATE vouchers SET definition_id = (SELECT definition_id FROM vouchers WHERE id = $2) WHERE id = $1`,
      [ids[3], ids[0]],
    );
  });
});
