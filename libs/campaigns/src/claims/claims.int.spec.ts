import type { Claimed, VoucherSnapshot } from '@scrip/contracts';
import { isRefused } from '@scrip/kernel';
import { waitUntil } from '@scrip/testing';
import {
  bootCampaigns,
  caller,
  type CampaignsFixture,
  claimOn,
  coupons,
  foldingProject,
  project,
} from '../campaigns.fixture';
import { SettledSignal } from './settled-signal';
import { SettlementLoop } from './settlement.loop';

type Told = Claimed<{ voucher: VoucherSnapshot }> | undefined;

const refusalOf = (told: Told): string | undefined =>
  told && 'refusal' in told ? told.refusal.refused : undefined;
const usesAfter = (told: Told): number | undefined =>
  told && 'voucher' in told ? told.voucher.redemption.redeemed_quantity : undefined;

describe('claims on vouchers', () => {
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
  const claim = async (request: ReturnType<typeof claimOn>): Promise<Told> =>
    (await fixture.port.claim(caller(), { claims: [request] }))[0];
  const usesOf = async (voucherId: string): Promise<number> => {
    const [loaded] = await fixture.port.loadRedeemables(caller(), { vouchers: [voucherId] });
    return loaded && !isRefused(loaded) ? loaded.voucher.redemption.redeemed_quantity : NaN;
  };
  const stateOf = async (claim_id: string): Promise<string | undefined> => {
    const [row] = await fixture.database.query<{ state: string }[]>(
      'SELECT state FROM claims WHERE claim_id = $1',
      [claim_id],
    );
    return row?.state;
  };
  const abandon = (request: ReturnType<typeof claimOn>) =>
    fixture.port.settle(caller(), {
      outcomes: [{ redemption_id: request.redemption_id, verdict: 'ABANDONED', claims: [] }],
      claims: [request].map(({ redemption_id, claim_id, voucher_id }) => ({
        redemption_id,
        claim_id,
        voucher_id,
      })),
    });
  const confirm = (request: ReturnType<typeof claimOn>) =>
    fixture.port.settle(caller(), {
      outcomes: [fixture.verdicts.record(request.redemption_id, [request.claim_id])],
      claims: [request].map(({ redemption_id, claim_id, voucher_id }) => ({
        redemption_id,
        claim_id,
        voucher_id,
      })),
    });

  it('gives ten of fifty parallel claims one of ten uses', async () => {
    const id = await voucher(10);
    const requests = Array.from({ length: 50 }, () => claimOn(id));
    const answers = await Promise.all(
      requests.map(async (request) => {
        const told = await claim(request);
        if (usesAfter(told) !== undefined) await confirm(request);
        return told;
      }),
    );
    expect(
      answers
        .map(usesAfter)
        .filter((uses) => uses !== undefined)
        .sort((a, b) => a - b),
    ).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(answers.map(refusalOf).filter((key) => key === 'quantity_exceeded')).toHaveLength(40);
    expect(await usesOf(id)).toBe(10);
    expect(
      fixture.verdicts.asked.filter((asked) => requests.some((request) => request.redemption_id === asked)),
    ).toEqual([]);
  });

  it('answers a repeated claim as the first one, also when that took the last use', async () => {
    const id = await voucher(1);
    const request = claimOn(id);
    expect([usesAfter(await claim(request)), usesAfter(await claim(request))]).toEqual([1, 1]);
    await confirm(request);
    expect(usesAfter(await claim(request))).toBe(1);
    expect(await usesOf(id)).toBe(1);
  });

  it('takes one use when the same claim arrives ten times at once', async () => {
    const id = await voucher(null);
    const request = claimOn(id);
    const answers = await Promise.all(Array.from({ length: 10 }, () => claim(request)));
    expect(answers.map(usesAfter)).toEqual(Array.from({ length: 10 }, () => 1));
    expect(await usesOf(id)).toBe(1);
  });

  it('refuses a claim for ever that was abandoned before it arrived', async () => {
    const id = await voucher(1);
    const late = claimOn(id);
    await abandon(late);
    expect(await stateOf(late.claim_id)).toBe('REVERTED');
    expect(refusalOf(await claim(late))).toBe('claim_abandoned');
    expect(await usesOf(id)).toBe(0);
  });

  it('gives the use of an abandoned claim back, once', async () => {
    const id = await voucher(1);
    const request = claimOn(id);
    await claim(request);
    await Promise.all([abandon(request), abandon(request), abandon(request)]);
    expect([await usesOf(id), await stateOf(request.claim_id)]).toEqual([0, 'REVERTED']);
    expect(refusalOf(await claim(request))).toBe('claim_abandoned');
  });

  it('reverts a claim that its RECORDED outcome does not list', async () => {
    const id = await voucher(5);
    const [listed, unlisted] = [claimOn(id), claimOn(id)];
    unlisted.redemption_id = listed.redemption_id;
    await claim(listed);
    await claim(unlisted);
    await fixture.port.settle(caller(), {
      outcomes: [{ redemption_id: listed.redemption_id, verdict: 'RECORDED', claims: [listed.claim_id] }],
      claims: [listed, unlisted].map(({ redemption_id, claim_id, voucher_id }) => ({
        redemption_id,
        claim_id,
        voucher_id,
      })),
    });
    expect([await stateOf(listed.claim_id), await stateOf(unlisted.claim_id)]).toEqual([
      'CONFIRMED',
      'REVERTED',
    ]);
    expect(await usesOf(id)).toBe(1);
  });

  it('replaces a claim whose answer was lost in the same statement', async () => {
    const id = await voucher(1);
    const lost = claimOn(id);
    const neverArrived = claimOn(id);
    await claim(lost);
    const next = {
      ...claimOn(id, [lost.claim_id, neverArrived.claim_id]),
      redemption_id: lost.redemption_id,
    };
    expect(usesAfter(await claim(next))).toBe(1);
    expect(await Promise.all([lost, neverArrived, next].map(({ claim_id }) => stateOf(claim_id)))).toEqual([
      'REVERTED',
      'REVERTED',
      'PROVISIONAL',
    ]);
    const late = { ...neverArrived, redemption_id: lost.redemption_id };
    expect(refusalOf(await claim(late))).toBe('claim_abandoned');
  });

  it('gives a confirmed use back once, however often the refund is repeated', async () => {
    const id = await voucher(3);
    const request = claimOn(id);
    await claim(request);
    await confirm(request);
    const refund = { claims: [{ ...request, rollback_id: 'rr_1' }] };
    const answers = await Promise.all([1, 2, 3].map(() => fixture.port.refund(caller(), refund)));
    expect(answers.map(([told]) => usesAfter(told))).toEqual([0, 0, 0]);
    expect([await usesOf(id), await stateOf(request.claim_id)]).toEqual([0, 'REFUNDED']);
  });

  it('asks for the verdict before it refunds a provisional claim', async () => {
    const id = await voucher(3);
    const [recorded, abandoned] = [claimOn(id), claimOn(id)];
    await claim(recorded);
    await claim(abandoned);
    fixture.verdicts.record(recorded.redemption_id, [recorded.claim_id]);
    const refund = async (request: ReturnType<typeof claimOn>) =>
      (await fixture.port.refund(caller(), { claims: [{ ...request, rollback_id: 'rr_2' }] }))[0];
    expect(usesAfter(await refund(recorded))).toBe(1);
    expect(refusalOf(await refund(abandoned))).toBe('claim_abandoned');
    expect(await usesOf(id)).toBe(0);
  });

  it('asks for the verdict of a claim that stands in somebody’s way, and gives its use to him', async () => {
    const id = await voucher(1);
    const interrupted = claimOn(id);
    await claim(interrupted);
    expect(usesAfter(await claim(claimOn(id)))).toBe(1);
    expect(fixture.verdicts.asked).toContain(interrupted.redemption_id);
    expect(await stateOf(interrupted.claim_id)).toBe('REVERTED');
  });

  it('does not ask about a claim that settles by itself', async () => {
    const id = await voucher(1);
    const [first, second] = [claimOn(id), claimOn(id)];
    await claim(first);
    const looks = jest.spyOn(fixture.get(SettledSignal), 'next');
    const refused = claim(second);
    await waitUntil(() => looks.mock.calls.length > 1, { what: 'the refused caller to wait' });
    await confirm(first);
    expect(refusalOf(await refused)).toBe('quantity_exceeded');
    expect(fixture.verdicts.asked).not.toContain(first.redemption_id);
  });

  it('settles claims that were interrupted more than 30 seconds ago, and no younger ones', async () => {
    const id = await voucher(null);
    const requests = [claimOn(id), claimOn(id), claimOn(id)] as const;
    for (const request of requests) await claim(request);
    const [recorded, abandoned, young] = requests;
    fixture.verdicts.record(recorded.redemption_id, [recorded.claim_id]);
    await fixture.database.query(
      `UPDATE claims SET claimed_at = now() - interval '31 seconds' WHERE claim_id = ANY($1)`,
      [[recorded.claim_id, abandoned.claim_id]],
    );
    await fixture.get(SettlementLoop).settleOverdue();
    expect(await Promise.all(requests.map(({ claim_id }) => stateOf(claim_id)))).toEqual([
      'CONFIRMED',
      'REVERTED',
      'PROVISIONAL',
    ]);
    expect(fixture.verdicts.asked).not.toContain(young.redemption_id);
  });

  it('settles younger ones whose verdict stands already', async () => {
    const id = await voucher(null);
    const [recorded, underWay] = [claimOn(id), claimOn(id)];
    await claim(recorded);
    await claim(underWay);
    fixture.verdicts.record(recorded.redemption_id, [recorded.claim_id]);
    await fixture.database.query(
      `UPDATE claims SET claimed_at = now() - interval '5 seconds' WHERE claim_id = ANY($1)`,
      [[recorded.claim_id, underWay.claim_id]],
    );
    await fixture.get(SettlementLoop).settleOverdue();
    expect([await stateOf(recorded.claim_id), await stateOf(underWay.claim_id)]).toEqual([
      'CONFIRMED',
      'PROVISIONAL',
    ]);
    expect(fixture.verdicts.asked).not.toContain(underWay.redemption_id);
  });

  it('forgets long reverted claims, page by page, and nothing else', async () => {
    const old = Array.from({ length: 5 }, (_, at) => `cl_old_${at}`);
    const kept = [
      ['cl_reverted', 'REVERTED', '29 days'],
      ['cl_confirmed', 'CONFIRMED', '31 days'],
      ['cl_refunded', 'REFUNDED', '31 days'],
    ] as const;
    for (const [id, state, age] of [...old.map((id) => [id, 'REVERTED', '31 days'] as const), ...kept]) {
      await fixture.database.query(
        `INSERT INTO claims (project_id, redeemable_id, claim_id, redemption_id, state, claimed_at)
         VALUES ($1, 'v_forgotten', $2, 'r_forgotten', $3, now() - $4::interval)`,
        [project.id, id, state, age],
      );
    }
    await fixture.get(SettlementLoop).forgetReverted(2);
    const left = await fixture.database.query<{ claim_id: string }[]>(
      `SELECT claim_id FROM claims WHERE redeemable_id = 'v_forgotten' ORDER BY claim_id`,
    );
    expect(left.map(({ claim_id }) => claim_id)).toEqual(['cl_confirmed', 'cl_refunded', 'cl_reverted']);
  });

  it('forgets them by itself', async () => {
    await fixture.database.query(
      `INSERT INTO claims (project_id, redeemable_id, claim_id, redemption_id, state, claimed_at)
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

  it('lets no project wait for a claim of another that cannot be settled', async () => {
    const [broken, sound] = [claimOn('v_that_is_gone'), claimOn('v_of_another_project')];
    fixture.verdicts.record(sound.redemption_id, [sound.claim_id]);
    await fixture.database.query(
      `INSERT INTO claims (project_id, redeemable_id, claim_id, redemption_id, state, claimed_at)
       SELECT project_id, redeemable_id, claim_id, redemption_id, 'PROVISIONAL', now() - interval '1 hour'
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS c(project_id, redeemable_id, claim_id, redemption_id)`,
      [
        [project.id, foldingProject.id],
        [broken.voucher_id, sound.voucher_id],
        [broken.claim_id, sound.claim_id],
        [broken.redemption_id, sound.redemption_id],
      ],
    );
    await expect(fixture.get(SettlementLoop).settleOverdue()).rejects.toThrow('does not exist');
    expect(await stateOf(sound.claim_id)).toBe('CONFIRMED');
    await fixture.database.query('DELETE FROM claims WHERE claim_id = $1', [broken.claim_id]);
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
    const answers = await fixture.port.claim(caller(), { claims });
    const told = answers.map(
      (answer) => claims.find(({ claim_id }) => claim_id === answer.claim_id)?.voucher_id,
    );
    expect(told).toEqual(ids.slice(0, told.length));
    expect(answers.map(refusalOf).at(-1)).toBe('quantity_exceeded');
  });

  it('does not know a voucher that does not exist', async () => {
    expect(refusalOf(await claim(claimOn('v_unknown')))).toBe('not_found');
  });

  it('folds every voucher again to the state it has', async () => {
    expect(await fixture.events.verifyState()).toEqual([]);
  });
});
