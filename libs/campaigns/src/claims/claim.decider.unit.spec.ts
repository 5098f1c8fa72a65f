import type { VoucherEvent } from '@scrip/contracts';
import { isRefused } from '@scrip/kernel';
import { campaignSnapshot } from '../campaign/campaign.fixture';
import { voucherTemplateOf } from '../voucher/voucher-template';
import { type VoucherState, voucherOf } from '../voucher/voucher.decider';
import { type ClaimRow, claimAgain, claimUse, refundClaim, revertClaim } from './claim.decider';

const campaign = campaignSnapshot();
/** A voucher of which `redeemed` of 5 uses are taken. */
const voucher = (redeemed: number, quantity: number | null = 5): VoucherState => ({
  voucher: {
    ...voucherOf(voucherTemplateOf(campaign), {
      id: 'v_1',
      code: 'CODE',
      created_at: '2026-02-01T10:00:00.000Z',
    }),
    redemption: { quantity, redeemed_quantity: redeemed },
  },
  code_key: 'CODE',
});
const surroundings = { campaign, now: new Date('2026-03-10T10:00:00Z'), timezone: 'UTC' };
const ids = { redemption_id: 'r_1', claim_id: 'cl_1' };
const claim = { ...ids, replaces: [] };
const row = (
  claim_id: string,
  state: ClaimRow['state'],
  redeemed_quantity: number | null = 1,
): [string, ClaimRow] => [claim_id, { claim_id, redemption_id: 'r_1', state, redeemed_quantity }];
const consumed = (redeemed_quantity: number, claim_id = 'cl_1'): VoucherEvent => ({
  type: 'VoucherQuantityConsumed',
  data: { redemption_id: 'r_1', claim_id, redeemed_quantity },
});
const restored = (
  redeemed_quantity: number,
  claim_id: string,
  cause: 'ABANDONED' | 'ROLLED_BACK',
): VoucherEvent => ({
  type: 'VoucherQuantityRestored',
  data: { redemption_id: 'r_1', claim_id, redeemed_quantity, cause },
});
const provisional = (claim_id: string, redeemed_quantity: number) => ({
  redemption_id: 'r_1',
  claim_id,
  from: null,
  to: 'PROVISIONAL',
  redeemed_quantity,
});

describe('claiming a use', () => {
  it('takes one, provisionally', () => {
    expect(claimUse(voucher(4), ids, surroundings)).toEqual({
      events: [consumed(5)],
      moves: [provisional('cl_1', 5)],
      answer: voucher(5),
    });
  });

  test.each([
    ['the last use is taken', voucher(5), surroundings, 'quantity_exceeded'],
    [
      'the campaign is switched off',
      voucher(0),
      { ...surroundings, campaign: { ...campaign, active: false } },
      'voucher_disabled',
    ],
    [
      'the campaign has not begun',
      voucher(5),
      { ...surroundings, now: new Date('2026-02-28T10:00:00Z') },
      'voucher_not_active',
    ],
  ])('refuses when %s', (_, state, around, refused) => {
    expect(claimUse(state, ids, around)).toMatchObject({ refused, details: 'CODE' });
  });

  it('never runs out of unlimited uses', () => {
    expect(isRefused(claimUse(voucher(1_000_000, null), ids, surroundings))).toBe(false);
  });
});

describe('claiming again', () => {
  test.each(['PROVISIONAL', 'CONFIRMED', 'REFUNDED'] as const)(
    'answers a %s claim as the first time',
    (state) => {
      const decision = claimAgain(voucher(5), claim, new Map([row('cl_1', state, 3)]), surroundings);
      expect(decision).toEqual({ events: [], moves: [], answer: voucher(3) });
    },
  );

  it('refuses a reverted claim for ever', () => {
    const decision = claimAgain(voucher(0), claim, new Map([row('cl_1', 'REVERTED', null)]), surroundings);
    expect(decision).toMatchObject({ events: [], moves: [], answer: { refused: 'claim_abandoned' } });
  });

  it('gives the use of a replaced claim back before it takes one', () => {
    const decision = claimAgain(
      voucher(5),
      { ...claim, replaces: ['cl_0'] },
      new Map([row('cl_0', 'PROVISIONAL')]),
      surroundings,
    );
    expect(decision).toEqual({
      events: [restored(4, 'cl_0', 'ABANDONED'), consumed(5)],
      moves: [
        { redemption_id: 'r_1', claim_id: 'cl_0', from: 'PROVISIONAL', to: 'REVERTED' },
        provisional('cl_1', 5),
      ],
      answer: voucher(5),
    });
  });

  it('lets a replaced claim that never arrived find a tombstone', () => {
    const decision = claimAgain(voucher(0), { ...claim, replaces: ['cl_0'] }, new Map(), surroundings);
    expect(decision.moves).toEqual([
      { redemption_id: 'r_1', claim_id: 'cl_0', from: null, to: 'REVERTED' },
      provisional('cl_1', 1),
    ]);
  });

  it('reverts replaced claims also when it refuses the new one', () => {
    const closed = { ...surroundings, campaign: { ...campaign, active: false } };
    const decision = claimAgain(
      voucher(1),
      { ...claim, replaces: ['cl_0'] },
      new Map([row('cl_0', 'PROVISIONAL')]),
      closed,
    );
    expect(decision).toMatchObject({
      events: [restored(0, 'cl_0', 'ABANDONED')],
      answer: { refused: 'voucher_disabled' },
    });
  });
});

describe('reverting a claim', () => {
  it('leaves a tombstone where it never arrived, also without a voucher', () => {
    expect(revertClaim(undefined, ids, undefined).moves).toEqual([{ ...ids, from: null, to: 'REVERTED' }]);
  });

  it('does nothing twice', () => {
    expect(revertClaim(voucher(1), ids, row('cl_1', 'REVERTED')[1])).toMatchObject({ events: [], moves: [] });
  });

  test.each(['CONFIRMED', 'REFUNDED'] as const)(
    'takes two verdicts on one claim for a defect (%s)',
    (state) => {
      expect(() => revertClaim(voucher(1), ids, row('cl_1', state)[1])).toThrow(`claim cl_1 is ${state}`);
    },
  );
});

describe('refunding a claim', () => {
  const refund = { ...ids, rollback_id: 'rr_1' };

  it('gives a confirmed use back', () => {
    expect(refundClaim(voucher(2), refund, row('cl_1', 'CONFIRMED')[1])).toEqual({
      events: [restored(1, 'cl_1', 'ROLLED_BACK')],
      moves: [{ ...refund, from: 'CONFIRMED', to: 'REFUNDED' }],
      answer: voucher(1),
    });
  });

  it('changes nothing when it is repeated', () => {
    expect(refundClaim(voucher(2), refund, row('cl_1', 'REFUNDED')[1])).toEqual({
      events: [],
      moves: [],
      answer: voucher(2),
    });
  });

  test.each(['PROVISIONAL', 'REVERTED'] as const)('refuses a %s claim', (state) => {
    expect(refundClaim(voucher(2), refund, row('cl_1', state)[1]).answer).toMatchObject({
      refused: 'claim_abandoned',
    });
  });
});
