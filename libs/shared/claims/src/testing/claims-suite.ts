import type { ClaimAsks, Claimed, ClaimKey, ObjectVerdict } from '@scrip/contracts/claims';
import { newId } from '@scrip/kernel';
import type { ObjectClaim } from '../claim-state';
import type { OwnerUnderTest } from './owner-under-test';

type Claim = ObjectClaim & { asks: ClaimAsks; replaces: string[] };

const refusalOf = (answer: Claimed<unknown, unknown> | undefined): string | undefined =>
  answer && 'refusal' in answer ? answer.refusal.refused : undefined;

/** Runs calls by a clock that stands still: none of them gives up, however long a rival takes. */
const unhurried = async <T>(calls: () => Promise<T>): Promise<T> => {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
  try {
    return await calls();
  } finally {
    clock.mockRestore();
  }
};

/** What every owner of redeemables promises about its claims; runs in a `describe` of its own. Source: architecture §8. */
export const claimsSuite = (name: string, start: () => Promise<OwnerUnderTest>): void => {
  describe(`claims on ${name}`, () => {
    let owner: OwnerUnderTest;

    beforeAll(async () => {
      owner = await start();
    });

    const claimOn = async (
      objectId: string,
      { redemption_id = newId('r_'), replaces = [] }: { redemption_id?: string; replaces?: string[] } = {},
    ): Promise<Claim> => ({
      redemption_id,
      claim_id: newId('clm_'),
      object_id: objectId,
      asks: await owner.asks(objectId, redemption_id),
      replaces,
    });
    const claim = async ({ redemption_id, ...own }: Claim) =>
      (
        await owner.participant.claim(owner.context(), { redemption_id, claims: [own], at_refusal: 'STOP' })
      )[0];
    const verdictOn = ({ redemption_id, claim_id, object_id }: ObjectClaim): ObjectVerdict => {
      const recorded = owner.coordinator.outcomes.get(redemption_id)?.claims.includes(claim_id);
      return { redemption_id, claim_id, object_id, verdict: recorded ? 'RECORDED' : 'ABANDONED' };
    };
    const settle = (...claims: ObjectClaim[]) =>
      owner.participant.settle(owner.context(), { verdicts: claims.map(verdictOn) });
    const record = ({ redemption_id, claim_id }: ClaimKey) =>
      owner.coordinator.record(redemption_id, claim_id);
    const confirm = (one: Claim) => {
      record(one);
      return settle(one);
    };
    const abandon = (one: Claim) => {
      owner.coordinator.abandon(one.redemption_id);
      return settle(one);
    };
    const refund = async (one: ObjectClaim) =>
      (await owner.participant.refund(owner.context(), { claims: [await owner.refund(one)] }))[0];
    const stateOf = async ({ claim_id }: { claim_id: string }): Promise<string | undefined> => {
      const [row] = await owner.dataSource.query<{ state: string }[]>(
        `SELECT state FROM ${owner.table} WHERE claim_id = $1`,
        [claim_id],
      );
      return row?.state;
    };
    const age = (seconds: number, ...claims: Claim[]) =>
      owner.dataSource.query(
        `UPDATE ${owner.table} SET claimed_at = now() - make_interval(secs => $1) WHERE claim_id = ANY($2)`,
        [seconds, claims.map(({ claim_id }) => claim_id)],
      );

    it('answers a repeated claim as the first one, before and after its verdict', async () => {
      const id = await owner.objectFor(1);
      const one = await claimOn(id);
      const first = await claim(one);
      expect(first).toHaveProperty('granted');
      expect(await claim(one)).toEqual(first);
      await confirm(one);
      expect(await claim(one)).toEqual(first);
      expect(await owner.taken(id)).toBe(1);
    });

    it('takes once what the same claim asks ten times at once', async () => {
      const id = await owner.objectFor(10);
      const one = await claimOn(id);
      const answers = await Promise.all(Array.from({ length: 10 }, () => claim(one)));
      expect(answers).toEqual(Array.from({ length: 10 }, () => answers[0]));
      expect(answers[0]).toHaveProperty('granted');
      expect(await owner.taken(id)).toBe(1);
    });

    it('refuses a claim for ever that was abandoned before it arrived', async () => {
      const id = await owner.objectFor(1);
      const late = await claimOn(id);
      await abandon(late);
      expect(await stateOf(late)).toBe('REVERTED');
      expect(refusalOf(await claim(late))).toBe('claim_abandoned');
      expect(await owner.taken(id)).toBe(0);
    });

    it('gives back what an abandoned claim took, once, however often its verdict comes', async () => {
      const id = await owner.objectFor(1);
      const one = await claimOn(id);
      await claim(one);
      await Promise.all([abandon(one), abandon(one), abandon(one)]);
      expect([await owner.taken(id), await stateOf(one)]).toEqual([0, 'REVERTED']);
      expect(refusalOf(await claim(one))).toBe('claim_abandoned');
      expect(await claim(await claimOn(id))).toHaveProperty('granted');
    });

    it('confirms once, however often the verdict comes', async () => {
      const id = await owner.objectFor(1);
      const one = await claimOn(id);
      await claim(one);
      await Promise.all([confirm(one), confirm(one), confirm(one)]);
      expect([await owner.taken(id), await stateOf(one)]).toEqual([1, 'CONFIRMED']);
    });

    it('reverts the claims that a new one replaces, and refuses those that never arrived', async () => {
      const id = await owner.objectFor(1);
      const lost = await claimOn(id);
      const { redemption_id } = lost;
      const neverArrived = { ...lost, claim_id: newId('clm_') };
      await claim(lost);
      const replaces = [lost.claim_id, neverArrived.claim_id];
      const next = { ...lost, claim_id: newId('clm_'), replaces };
      expect(await claim(next)).toHaveProperty('granted');
      expect(await Promise.all([lost, neverArrived, next].map(stateOf))).toEqual([
        'REVERTED',
        'REVERTED',
        'PROVISIONAL',
      ]);
      expect(refusalOf(await claim({ ...neverArrived, redemption_id }))).toBe('claim_abandoned');
      expect(await owner.taken(id)).toBe(1);
    });

    it('reverts one claim of a redemption whose other claim is recorded', async () => {
      const [first, second] = [await owner.objectFor(1), await owner.objectFor(1)];
      const listed = await claimOn(first);
      const unlisted = await claimOn(second, { redemption_id: listed.redemption_id });
      await claim(listed);
      await claim(unlisted);
      record(listed);
      await settle(listed, unlisted);
      expect([await stateOf(listed), await stateOf(unlisted)]).toEqual(['CONFIRMED', 'REVERTED']);
      expect([await owner.taken(first), await owner.taken(second)]).toEqual([1, 0]);
    });

    it('asks for the verdict of an old claim that is in the way, and gives what it took to who came next', async () => {
      const id = await owner.objectFor(1);
      const dead = await claimOn(id);
      const next = await claimOn(id);
      await claim(dead);
      await age(11, dead);
      expect(await unhurried(() => claim(next))).toHaveProperty('granted');
      expect(owner.coordinator.asked).toContain(dead.redemption_id);
      expect([await stateOf(dead), await owner.taken(id)]).toEqual(['REVERTED', 1]);
    });

    it('refuses multiple_requests because of a young claim, and does not end its redemption', async () => {
      const id = await owner.objectFor(1);
      const young = await claimOn(id);
      const next = await claimOn(id);
      await claim(young);
      expect(refusalOf(await claim(next))).toBe('multiple_requests');
      expect(owner.coordinator.asked).not.toContain(young.redemption_id);
      expect([await stateOf(young), await stateOf(next)]).toEqual(['PROVISIONAL', undefined]);
      await confirm(young);
      expect(await owner.taken(id)).toBe(1);
    });

    it('waits for a young claim that is being settled', async () => {
      const id = await owner.objectFor(1);
      const first = await claimOn(id);
      const second = await claimOn(id);
      await claim(first);
      const [answer] = await unhurried(() => Promise.all([claim(second), abandon(first)]));
      expect(answer).toHaveProperty('granted');
    });

    it('reads the verdict of a young claim when its push was lost', async () => {
      const id = await owner.objectFor(1);
      const recorded = await claimOn(id);
      const next = await claimOn(id);
      await claim(recorded);
      record(recorded);
      expect(refusalOf(await unhurried(() => claim(next)))).toBe(owner.refusedWhenTaken);
      expect([await stateOf(recorded), await owner.taken(id)]).toEqual(['CONFIRMED', 1]);
      expect(owner.coordinator.asked).not.toContain(recorded.redemption_id);
    });

    it('never asks about the redemption that waits for the answer', async () => {
      const id = await owner.objectFor(1);
      const first = await claimOn(id);
      await claim(first);
      await age(11, first);
      const again = await claimOn(id, { redemption_id: first.redemption_id });
      expect(refusalOf(await claim(again))).toBe('multiple_requests');
      expect(owner.coordinator.asked).not.toContain(first.redemption_id);
    });

    it('gives a confirmed claim back once, however often the refund is repeated', async () => {
      const id = await owner.objectFor(1);
      const one = await claimOn(id);
      await claim(one);
      await confirm(one);
      const answers = await Promise.all([refund(one), refund(one), refund(one)]);
      expect(answers.every((answer) => answer && 'granted' in answer)).toBe(true);
      expect([await owner.taken(id), await stateOf(one)]).toEqual([0, 'REFUNDED']);
    });

    it('asks for the verdict before it refunds a provisional claim', async () => {
      const [first, second] = [await owner.objectFor(1), await owner.objectFor(1)];
      const [recorded, abandoned] = [await claimOn(first), await claimOn(second)];
      await claim(recorded);
      await claim(abandoned);
      record(recorded);
      expect(await refund(recorded)).toHaveProperty('granted');
      expect(await refund(abandoned)).toMatchObject({ refusal: { refused: 'claim_abandoned' } });
      expect([await stateOf(recorded), await stateOf(abandoned)]).toEqual(['REFUNDED', 'REVERTED']);
      expect([await owner.taken(first), await owner.taken(second)]).toEqual([0, 0]);
    });

    it('gives what fits to fifty parallel claims, and ends no redemption to do so', async () => {
      const fits = Math.min(10, owner.atOnce);
      const id = await owner.objectFor(fits);
      const claims = await Promise.all(Array.from({ length: 50 }, () => claimOn(id)));
      const answers = await Promise.all(
        claims.map(async (one) => {
          const answer = await claim(one);
          if (answer && 'granted' in answer) await confirm(one);
          return answer;
        }),
      );
      expect(answers.filter((answer) => answer && 'granted' in answer)).toHaveLength(fits);
      // On a busy machine some give up before the last of what fits is confirmed.
      const refusals = answers
        .map(refusalOf)
        .filter((key) => key === owner.refusedWhenTaken || key === 'multiple_requests');
      expect(refusals).toHaveLength(50 - fits);
      expect(await owner.taken(id)).toBe(fits);
      const asked = new Set(owner.coordinator.asked);
      expect(claims.filter(({ redemption_id }) => asked.has(redemption_id))).toEqual([]);
    });

    it('counts recorded claims that are unknown or reverted', async () => {
      const id = await owner.objectFor(1);
      const [unknown, reverted] = [await claimOn(id), await claimOn(id)];
      const before = [await owner.lost('UNKNOWN'), await owner.lost('REVERTED')] as const;
      await abandon(reverted);
      await Promise.all([confirm(unknown), confirm(reverted)]);
      expect([await owner.lost('UNKNOWN'), await owner.lost('REVERTED')]).toEqual([
        before[0] + 1,
        before[1] + 1,
      ]);
      expect([await stateOf(unknown), await stateOf(reverted)]).toEqual([undefined, 'REVERTED']);
    });

    it('settles interrupted claims by asking, and overdue ones whose verdict stands', async () => {
      const claims: Claim[] = [];
      for (let n = 0; n < 4; n += 1) claims.push(await claimOn(await owner.objectFor(1)));
      const [dead, recorded, standing, underWay] = claims as [Claim, Claim, Claim, Claim];
      for (const one of claims) await claim(one);
      record(recorded);
      record(standing);
      await age(31, dead, recorded);
      await age(5, standing, underWay);
      await owner.loop.settleOverdue();
      expect(await Promise.all(claims.map(stateOf))).toEqual([
        'REVERTED',
        'CONFIRMED',
        'CONFIRMED',
        'PROVISIONAL',
      ]);
      expect(owner.coordinator.asked).toContain(dead.redemption_id);
      expect(owner.coordinator.asked).not.toContain(underWay.redemption_id);
    });

    it('settles claims of other projects when one project has claims that cannot be settled', async () => {
      const one = await claimOn(await owner.objectFor(1));
      await claim(one);
      await age(31, one);
      const resolve = owner.coordinator.resolveOutcomes.bind(owner.coordinator);
      const failing = jest
        .spyOn(owner.coordinator, 'resolveOutcomes')
        .mockImplementation((context, request) =>
          context.project.id === '0_broken' ? Promise.reject(new Error('nobody')) : resolve(context, request),
        );
      await owner.dataSource.query(
        `INSERT INTO ${owner.table} (project_id, object_id, claim_id, redemption_id, state, claimed_at)
         SELECT '0_broken', 'obj_' || n, 'clm_broken_' || n, 'r_broken_' || n, 'PROVISIONAL', now() - interval '1 hour'
         FROM generate_series(1, 1001) n`,
      );
      await owner.loop.settleOverdue().catch((error: Error) => expect(error.message).toBe('nobody'));
      failing.mockRestore();
      await owner.dataSource.query(`DELETE FROM ${owner.table} WHERE project_id = '0_broken'`);
      expect(await stateOf(one)).toBe('REVERTED');
    });

    it('forgets claims reverted more than 30 days ago, page by page, and nothing else', async () => {
      const rows = [
        ...Array.from({ length: 5 }, (_, n) => [`clm_old_${n}`, 'REVERTED', 31] as const),
        ['clm_old_young', 'REVERTED', 29],
        ['clm_old_confirmed', 'CONFIRMED', 31],
        ['clm_old_refunded', 'REFUNDED', 31],
      ] as const;
      await owner.dataSource.query(
        `INSERT INTO ${owner.table} (project_id, object_id, claim_id, redemption_id, state, claimed_at)
         SELECT 'proj_old', 'obj_old', id, 'r_old', state, now() - make_interval(days => days)
         FROM unnest($1::text[], $2::text[], $3::int[]) AS c(id, state, days)`,
        [rows.map(([id]) => id), rows.map(([, state]) => state), rows.map(([, , days]) => days)],
      );
      await owner.loop.forgetReverted(2);
      const left = await owner.dataSource.query<{ claim_id: string }[]>(
        `SELECT claim_id FROM ${owner.table} WHERE project_id = 'proj_old' ORDER BY claim_id`,
      );
      expect(left.map(({ claim_id }) => claim_id)).toEqual([
        'clm_old_confirmed',
        'clm_old_refunded',
        'clm_old_young',
      ]);
    });
  });
};
