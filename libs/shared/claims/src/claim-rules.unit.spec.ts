import { isRefused, refuse } from '@scrip/kernel';
import { type ClaimRules, refundClaim, revertClaim, takeNew, takeReplacing } from './claim-rules';
import type { ClaimRow } from './claim-state';

/** A purse of credits: the state is what is left. */
type PurseEvent = { taken: number } | { returned: number; cause: string };

const rules: ClaimRules<number, PurseEvent, { open: boolean }> = {
  take: (left, { asks: { credits = 0 } }, { open }) => {
    if (!open) return refuse('voucher_disabled');
    if (credits > left) return refuse('gift_amount_exceeded');
    return { events: [{ taken: credits }], kept: { credits } };
  },
  giveBack: (_, { kept }, cause) => ({
    events: [{ returned: (kept as { credits: number }).credits, cause }],
  }),
  evolve: (left = 0, event) => ('taken' in event ? left - event.taken : left + event.returned),
};

const open = { open: true };
const ids = { redemption_id: 'r_1', claim_id: 'clm_1' };
const claim = { ...ids, asks: { credits: 30 } };
const row = (claim_id: string, state: ClaimRow['state'], credits = 30): ClaimRow => ({
  claim_id,
  redemption_id: 'r_1',
  object_id: 'v_1',
  state,
  kept: state === 'REVERTED' ? null : { credits },
});
const provisional = { ...ids, from: null, to: 'PROVISIONAL', kept: { credits: 30 } };

describe('taking', () => {
  it('takes what is asked, provisionally', () => {
    expect(takeNew(rules, 100, claim, open)).toEqual({
      events: [{ taken: 30 }],
      moves: [provisional],
      rows: [],
      state: 70,
      kept: { credits: 30 },
    });
  });

  it('writes nothing when it refuses', () => {
    expect(takeNew(rules, 20, claim, open)).toMatchObject({
      events: [],
      moves: [],
      refusal: { refused: 'gift_amount_exceeded' },
    });
  });

  it('gives back what a replaced claim took before it takes', () => {
    const rows = new Map([['clm_0', row('clm_0', 'PROVISIONAL', 25)]]);
    expect(takeReplacing(rules, 10, { ...claim, replaces: ['clm_0'] }, rows, open)).toMatchObject({
      events: [{ returned: 25, cause: 'ABANDONED' }, { taken: 30 }],
      moves: [{ redemption_id: 'r_1', claim_id: 'clm_0', from: 'PROVISIONAL', to: 'REVERTED' }, provisional],
      state: 5,
    });
  });

  describe('for a session', () => {
    /** Gives a session back what a claim used up of it. */
    const holding: typeof rules = {
      ...rules,
      giveBack: (left, claim, cause) => ({
        ...rules.giveBack(left, claim, cause),
        rows: claim.beside ? [{ delete: 'holds', key: { of: claim.beside as string } }] : [],
      }),
    };
    const stored = new Map([['clm_0', { ...row('clm_0', 'PROVISIONAL', 25), beside: 'cart-1' }]]);
    const asked = { ...claim, asks: { credits: 30, hold: { session: 'cart-1' } }, replaces: ['clm_0'] };

    it('passes its hold from the replaced claim to the new one', () => {
      expect(takeReplacing(holding, 10, asked, stored, open)).toMatchObject({ rows: [], state: 5 });
    });

    it('gives it back to the session where the new one is refused', () => {
      expect(takeReplacing(holding, 0, asked, stored, open)).toMatchObject({
        refusal: { refused: 'gift_amount_exceeded' },
        rows: [{ delete: 'holds', key: { of: 'cart-1' } }],
        state: 25,
      });
    });
  });

  it('leaves a tombstone for a replaced claim that never arrived', () => {
    expect(takeReplacing(rules, 100, { ...claim, replaces: ['clm_0'] }, new Map(), open).moves).toEqual([
      { redemption_id: 'r_1', claim_id: 'clm_0', from: null, to: 'REVERTED' },
      provisional,
    ]);
  });

  it('reverts replaced claims also when it refuses the new one', () => {
    const rows = new Map([['clm_0', row('clm_0', 'PROVISIONAL')]]);
    const closed = takeReplacing(rules, 0, { ...claim, replaces: ['clm_0'] }, rows, { open: false });
    expect(closed).toMatchObject({
      events: [{ returned: 30, cause: 'ABANDONED' }],
      refusal: { refused: 'voucher_disabled' },
    });
    expect(isRefused(closed.refusal)).toBe(true);
  });
});

describe('reverting', () => {
  it('leaves a tombstone where the claim never arrived, also without an object', () => {
    expect(revertClaim(rules, undefined, ids, undefined).moves).toEqual([
      { ...ids, from: null, to: 'REVERTED' },
    ]);
  });

  it('does nothing twice', () => {
    expect(revertClaim(rules, 1, ids, row('clm_1', 'REVERTED'))).toEqual({
      events: [],
      moves: [],
      rows: [],
      state: 1,
    });
  });

  test.each(['CONFIRMED', 'REFUNDED'] as const)(
    'throws for a %s claim: two verdicts on one claim',
    (state) => {
      expect(() => revertClaim(rules, 1, ids, row('clm_1', state))).toThrow(`claim clm_1 is ${state}`);
    },
  );
});

describe('refunding', () => {
  const refund = { ...ids, rollback_id: 'rr_1' };

  it('gives back what a confirmed claim took', () => {
    expect(refundClaim(rules, 70, refund, row('clm_1', 'CONFIRMED'))).toEqual({
      events: [{ returned: 30, cause: 'ROLLED_BACK' }],
      moves: [{ ...refund, from: 'CONFIRMED', to: 'REFUNDED' }],
      rows: [],
      state: 100,
      kept: { credits: 30 },
    });
  });

  it('stores what a repetition has to answer', () => {
    const answering = {
      ...rules,
      giveBack: (...asked: Parameters<typeof rules.giveBack>) => ({
        ...rules.giveBack(...asked),
        kept: { credits: 30, by: asked[1].rollback_id },
      }),
    };
    const kept = { credits: 30, by: 'rr_1' };
    expect(refundClaim(answering, 70, refund, row('clm_1', 'CONFIRMED'))).toMatchObject({
      moves: [{ ...refund, from: 'CONFIRMED', to: 'REFUNDED', kept }],
      kept,
    });
  });

  it('changes nothing when it is repeated', () => {
    expect(refundClaim(rules, 100, refund, row('clm_1', 'REFUNDED'))).toEqual({
      events: [],
      moves: [],
      rows: [],
      state: 100,
      kept: { credits: 30 },
    });
  });

  test.each(['PROVISIONAL', 'REVERTED'] as const)('refuses a %s claim', (state) => {
    expect(refundClaim(rules, 70, refund, row('clm_1', state)).refusal).toMatchObject({
      refused: 'claim_abandoned',
    });
  });
});
