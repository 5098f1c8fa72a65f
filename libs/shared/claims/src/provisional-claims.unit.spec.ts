import { type RequestContext, internalContext } from '@scrip/kernel';
import { projectOf } from '@scrip/testing';
import type { ClaimAsks } from '@scrip/contracts/claims';
import type { NewClaim } from './claim-state';
import { defaultPatience } from './patience';
import { ProvisionalClaims } from './provisional-claims';
import { SettledSignal } from './settled-signal';

const context: RequestContext = internalContext(projectOf());

const claimFor = (asks: ClaimAsks, replaces: string[] = []): NewClaim => ({
  redemption_id: 'r_1',
  claim_id: 'clm_1',
  object_id: 'obj_1',
  asks,
  replaces,
});

const onOrder = (order: { base_version: number | null; after?: string }): ClaimAsks => ({
  order: { order: {} as never, ...order },
});

/** How many looks two callers cause who come at once. */
const looksFor = async (first: NewClaim, second: NewClaim): Promise<number> => {
  const contention = jest.fn(() => Promise.resolve({ now: 'free' as const }));
  const claims = new ProvisionalClaims({ contention }, {} as never, new SettledSignal(), defaultPatience);
  await Promise.all([claims.look(context, first), claims.look(context, second)]);
  return contention.mock.calls.length;
};

describe('callers at once', () => {
  it.each<[string, NewClaim]>([
    ['credits', claimFor({ credits: 100 })],
    ['a version of an order', claimFor(onOrder({ base_version: 5 }))],
    ['an order as a provisional claim leaves it', claimFor(onOrder({ base_version: 5, after: 'clm_0' }))],
    ['the place of a claim', claimFor({ uses: 1 }, ['clm_0'])],
  ])('who ask for the same share a look: %s', async (_, claim) => {
    expect(await looksFor(claim, { ...claim, redemption_id: 'r_2', claim_id: 'clm_2' })).toBe(1);
  });

  it.each<[string, NewClaim, NewClaim]>([
    ['credits', claimFor({ credits: 100 }), claimFor({ credits: 101 })],
    ['versions of an order', claimFor(onOrder({ base_version: 5 })), claimFor(onOrder({ base_version: 6 }))],
    [
      'provisional claims that leave an order',
      claimFor(onOrder({ base_version: 6, after: 'clm_3' })),
      claimFor(onOrder({ base_version: 6, after: 'clm_4' })),
    ],
    ['claims to replace', claimFor({ uses: 1 }, ['clm_3']), claimFor({ uses: 1 })],
  ])('who ask for different %s look each for themselves', async (_, first, second) => {
    expect(await looksFor(first, second)).toBe(2);
  });
});
