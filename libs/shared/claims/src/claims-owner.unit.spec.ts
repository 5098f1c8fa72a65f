import { internalContext, refuse } from '@scrip/kernel';
import { projectOf } from '@scrip/testing';
import type { ClaimEffect } from './claim-effect';
import type { ClaimTable } from './claim.table';
import { ClaimsOwner, type ClaimsOptions } from './claims-owner';

const used = refuse('quantity_exceeded', 'Used up');

/** Refuses every claim as used up, because of provisional claims that are confirmed by the time they are looked at. */
const effect = {
  take: () => Promise.resolve({ refusal: used, contended: true }),
  contention: () => Promise.resolve({ now: 'final' }),
  load: () => Promise.resolve([]),
  inUse: () => refuse('multiple_requests', 'In use'),
} as unknown as ClaimEffect<object, object>;

describe('a claim that is in the way of another', () => {
  afterEach(() => jest.restoreAllMocks());

  it('is looked at once also where the first try took all the time there is', async () => {
    const owner = new ClaimsOwner({
      name: 'voucher',
      table: { find: () => Promise.resolve(new Map()) } as unknown as ClaimTable,
      effect,
      qualification: {},
      metrics: { counter: () => ({}), sampled: () => undefined },
    } as unknown as ClaimsOptions<object, object>);
    let now = Date.now();
    jest.spyOn(Date, 'now').mockImplementation(() => (now += 60_000));
    const claim = { claim_id: 'clm_1', object_id: 'v_1', asks: { uses: 1 as const } };
    const context = internalContext(projectOf());
    const answers = await owner.claim(context, {
      redemption_id: 'r_1',
      claims: [claim],
      at_refusal: 'STOP',
    });
    expect(answers).toEqual([{ claim_id: 'clm_1', refusal: used, facts: null }]);
  });
});
