import { type OwnerUnderTest, claimsSuite, lostClaims } from '@scrip/claims/testing';
import type { VoucherSnapshot } from '@scrip/contracts/campaigns';
import type { Claimed } from '@scrip/contracts/claims';
import { METRICS } from '@scrip/service';
import { isRefused } from '@scrip/kernel';
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
import { VoucherClaims } from './voucher-claims';

type Answer = Claimed<{ voucher: VoucherSnapshot }, unknown> | undefined;

const refusalOf = (answer: Answer): string | undefined =>
  answer && 'refusal' in answer ? answer.refusal.refused : undefined;

let fixture: CampaignsFixture;
let count = 0;

beforeAll(async () => {
  fixture = await bootCampaigns();
});
afterAll(() => fixture?.running.close());

/** A voucher with that many uses. */
const voucher = async (quantity: number | null, fields: Record<string, unknown> = {}): Promise<string> => {
  count += 1;
  const created = await fixture.call(
    'POST',
    '/v1/campaigns',
    coupons(`claims ${count}`, { vouchers_count: 1, ...fields }, { redemption: { quantity } }),
  );
  expect(created.status).toBe(200);
  const list = await fixture.call('GET', `/v1/vouchers?campaign_id=${created.body.id}`);
  return list.body.vouchers[0].id as string;
};
const claim = async (request: ReturnType<typeof claimOn>): Promise<Answer> =>
  (await fixture.port.claim(caller(), requestOf(request)))[0];
const usesOf = async (voucherId: string): Promise<number> => {
  const [loaded] = await fixture.port.load(caller(), { objects: [voucherId] });
  return loaded && !isRefused(loaded) ? loaded.voucher.redemption.redeemed_quantity : NaN;
};

const stateOf = async (claim_id: string): Promise<string | undefined> => {
  const [row] = await fixture.database.query<{ state: string }[]>(
    'SELECT state FROM claims WHERE claim_id = $1',
    [claim_id],
  );
  return row?.state;
};

claimsSuite('vouchers', (): Promise<OwnerUnderTest> =>
  Promise.resolve({
    participant: fixture.port,
    loop: fixture.get(VoucherClaims).loop,
    coordinator: fixture.outcomes,
    dataSource: fixture.database,
    table: 'claims',
    atOnce: 10,
    refusedWhenTaken: 'quantity_exceeded',
    context: () => caller(),
    objectFor: (uses) => voucher(uses),
    asks: () => Promise.resolve({ uses: 1 }),
    refund: ({ redemption_id, claim_id, object_id }) =>
      Promise.resolve({ redemption_id, claim_id, object_id, rollback_id: `rr_${claim_id}` }),
    taken: usesOf,
    lost: (state) => lostClaims(fixture.running.app.get(METRICS, { strict: false }), 'campaigns', state),
  }),
);

describe('claims on vouchers', () => {
  it('forgets them by itself', async () => {
    await fixture.database.query(
      `INSERT INTO claims (project_id, object_id, claim_id, redemption_id, state, claimed_at)
       VALUES ($1, 'v_forgotten', 'cl_very_old', 'r_forgotten', 'REVERTED', now() - interval '1 year')`,
      [project.id],
    );
    const again = await bootCampaigns(fixture.databaseUrl);
    try {
      await waitUntil(async () => (await stateOf('cl_very_old')) === undefined, { what: 'the claim to go' });
    } finally {
      await again.running.close();
    }
  });

  it('runs that loop by itself', async () => {
    const id = await voucher(null);
    const request = claimOn(id);
    await claim(request);
    await fixture.database.query(
      `UPDATE claims SET claimed_at = now() - interval '1 hour' WHERE claim_id = $1`,
      [request.claim_id],
    );
    await waitUntil(async () => (await stateOf(request.claim_id)) === 'REVERTED', { what: 'the settlement' });
  });

  it.each([
    [{ start_date: '2999-01-01' }, 'voucher_not_active'],
    [{ expiration_date: '2001-01-01' }, 'voucher_expired'],
    [{ validity_day_of_week: [] }, 'voucher_not_active_now'],
  ])('decides again about %j', async (fields, refused) => {
    const id = await voucher(1, fields);
    const told = await claim(claimOn(id));
    expect(refusalOf(told)).toBe(refused);
    expect(await usesOf(id)).toBe(0);
  });

  it('claims several vouchers in one order and ends at the first refusal', async () => {
    const ids = [await voucher(1), await voucher(0), await voucher(1)].sort();
    const claims = ids.map((id) => claimOn(id)).reverse();
    const redemption_id = claims[0]!.redemption_id;
    const asked = claims.map(({ claim_id, object_id }) => ({
      claim_id,
      object_id,
      asks: { uses: 1 as const },
    }));
    const request = { redemption_id, claims: asked };
    const answers = await fixture.port.claim(caller(), { ...request, at_refusal: 'STOP' });
    const told = answers.map(
      (answer) => claims.find(({ claim_id }) => claim_id === answer.claim_id)?.object_id,
    );
    expect(told).toEqual(ids.slice(0, told.length));
    expect(answers.map(refusalOf).at(-1)).toBe('quantity_exceeded');
    const all = await fixture.port.claim(caller(), { ...request, at_refusal: 'CONTINUE' });
    expect(all.map(refusalOf).sort()).toEqual(['quantity_exceeded', undefined, undefined]);
  });

  it('returns the voucher that a refusal was decided on', async () => {
    const id = await voucher(1);
    const taken = claimOn(id);
    await claim(taken);
    await fixture.port.settle(caller(), {
      verdicts: [
        { redemption_id: taken.redemption_id, claim_id: taken.claim_id, object_id: id, verdict: 'RECORDED' },
      ],
    });
    const [loaded] = await fixture.port.load(caller(), { objects: [id] });
    expect(await claim(claimOn(id))).toMatchObject({
      refusal: { refused: 'quantity_exceeded' },
      facts: loaded,
    });
    expect(await claim(claimOn('v_unknown'))).toMatchObject({
      refusal: { refused: 'not_found' },
      facts: null,
    });
  });

  it('changes `updated_at` when a use is taken, and again when it comes back', async () => {
    const id = await voucher(1);
    const shown = async () => (await fixture.call('GET', `/v1/vouchers/${id}`)).body.updated_at;
    const request = claimOn(id);
    const { redemption_id, claim_id } = request;
    expect(await shown()).toBeNull();
    const before = new Date().toISOString();
    expect(await claim(request)).toMatchObject({ granted: { voucher: { updated_at: expect.any(String) } } });
    const taken = await shown();
    expect(taken >= before).toBe(true);
    await fixture.port.settle(caller(), {
      verdicts: [{ redemption_id, claim_id, object_id: id, verdict: 'RECORDED' }],
    });
    expect(await shown()).toBe(taken);
    await waitUntil(() => new Date().toISOString() > taken, { what: 'the next millisecond' });
    const [refunded] = await fixture.port.refund(caller(), {
      claims: [{ redemption_id, claim_id, object_id: id, rollback_id: 'rr_1' }],
    });
    const returned = await shown();
    expect(returned > taken).toBe(true);
    expect(refunded).toMatchObject({ granted: { voucher: { updated_at: returned } } });
    const { body } = await fixture.call('GET', `/v1/vouchers?updated_at[after]=${taken}&order=-updated_at`);
    expect(body.vouchers[0]).toMatchObject({ id, updated_at: returned });
  });

  it('does not know a voucher that does not exist', async () => {
    expect(refusalOf(await claim(claimOn('v_unknown')))).toBe('not_found');
  });

  it('folds every voucher again to the state it has', async () => {
    expect(await fixture.events.verifyState()).toEqual([]);
  });
});
