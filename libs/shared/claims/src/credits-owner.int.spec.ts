import { type RequestContext, internalContext, newId } from '@scrip/kernel';
import { createDatabase, projectOf } from '@scrip/testing';
import { type CreditsOwner, claimsSuite, lostClaims, startCreditsOwner } from './testing';

const project = projectOf();
const context = (): RequestContext => internalContext(project);

let owner: CreditsOwner;

beforeAll(async () => {
  owner = await startCreditsOwner(await createDatabase('credits'));
});

afterAll(() => owner.stop());

claimsSuite('credits', () =>
  Promise.resolve({
    ...owner,
    participant: owner.claims,
    loop: owner.claims.loop,
    atOnce: 10,
    refusedWhenTaken: 'gift_amount_exceeded',
    context,
    objectFor: (count) => owner.issue(count * 100),
    asks: () => Promise.resolve({ credits: 100 }),
    refund: ({ redemption_id, claim_id, object_id }) =>
      Promise.resolve({ redemption_id, claim_id, object_id, rollback_id: `rr_${claim_id}` }),
    taken: async (id) => {
      const [issued] = await owner.events.readStream('gift_card', project.id, id);
      return ((issued!.data as { balance: number }).balance - (await owner.balanceOf(id))) / 100;
    },
    lost: (state) => lostClaims(owner.metrics, 'gift_card', state),
  }),
);

describe('credits', () => {
  it('are conserved under fifty racing claims, verdicts and refunds', async () => {
    const id = await owner.issue(1_000);
    const ends = await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const key = { redemption_id: newId('r_'), claim_id: newId('clm_'), object_id: id };
        const credits = 10 + (n % 7) * 30;
        const [answer] = await owner.claims.claim(context(), {
          redemption_id: key.redemption_id,
          claims: [{ claim_id: key.claim_id, object_id: id, asks: { credits } }],
          at_refusal: 'STOP',
        });
        if (!answer || 'refusal' in answer) return 0;
        const recorded = n % 3 !== 0;
        if (recorded) owner.coordinator.record(key.redemption_id, key.claim_id);
        else owner.coordinator.abandon(key.redemption_id);
        const verdicts = [{ ...key, verdict: recorded ? ('RECORDED' as const) : ('ABANDONED' as const) }];
        await owner.claims.settle(context(), { verdicts });
        if (!recorded || n % 2 === 0) {
          const refund = { claims: [{ ...key, rollback_id: `rr_${n}` }] };
          if (recorded) await Promise.all([1, 2].map(() => owner.claims.refund(context(), refund)));
          return 0;
        }
        return credits;
      }),
    );
    const kept = ends.reduce<number>((sum, credits) => sum + credits, 0);
    expect(await owner.balanceOf(id)).toBe(1_000 - kept);
    expect(kept).toBeGreaterThan(0);
    expect(await owner.events.verifyState()).toEqual([]);
  });

  it('of one claim are replaced by those of another', async () => {
    const id = await owner.issue(100);
    const redemption_id = newId('r_');
    const claim = async (claim_id: string, credits: number, replaces: string[] = []) =>
      (
        await owner.claims.claim(context(), {
          redemption_id,
          claims: [{ claim_id, object_id: id, asks: { credits }, replaces }],
          at_refusal: 'STOP',
        })
      )[0];
    expect(await claim('clm_80', 80)).toMatchObject({ granted: { balance: 20 } });
    expect(await claim('clm_90', 90, ['clm_80'])).toMatchObject({ granted: { balance: 10 } });
    expect(await claim('clm_95', 95, [])).toMatchObject({ refusal: { refused: 'multiple_requests' } });
    expect(await claim('clm_200', 200)).toMatchObject({
      refusal: { refused: 'gift_amount_exceeded' },
      facts: { id, balance: 10 },
    });
  });
});
