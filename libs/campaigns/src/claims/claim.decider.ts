import {
  type CampaignSnapshot,
  type ClaimRequest,
  type VoucherEvent,
  quantityAllows,
  usableAt,
} from '@scrip/contracts';
import { type Refusal, refuse } from '@scrip/kernel';
import { type VoucherState, evolveVoucher } from '../voucher/voucher.decider';

/** PROVISIONAL → CONFIRMED → REFUNDED, or PROVISIONAL → REVERTED; a REVERTED row without a use before it refuses a
 *  late claim for ever. Source: architecture §8.2. */
export type ClaimState = 'PROVISIONAL' | 'CONFIRMED' | 'REFUNDED' | 'REVERTED';

/** A claim as it is stored. `redeemed_quantity`: what the voucher counted right after it; null for tombstones. */
export interface ClaimRow {
  claim_id: string;
  redemption_id: string;
  state: ClaimState;
  redeemed_quantity: number | null;
}

/** A move of one claim row, to be written together with the events. `from` null = there must be no such row. */
export interface ClaimMove {
  claim_id: string;
  redemption_id: string;
  from: ClaimState | null;
  to: ClaimState;
  redeemed_quantity?: number;
  rollback_id?: string;
}

/** What a claim command has written and answers. */
export interface ClaimDecision {
  events: VoucherEvent[];
  moves: ClaimMove[];
  answer: VoucherState | Refusal;
}

/** What is true around the voucher while a use is claimed. `now` in `timezone` decides about windows. */
export interface ClaimSurroundings {
  campaign: CampaignSnapshot | null;
  now: Date;
  timezone: string;
}

/** Told to the coordinator, which abandoned the claim itself. */
export const claimAbandoned = (claimId: string): Refusal =>
  refuse('claim_abandoned', claimId, { status: 503, message: 'The redemption was abandoned' });

const consume = (
  state: VoucherState,
  claim: Pick<ClaimRequest, 'redemption_id' | 'claim_id'>,
): VoucherEvent => ({
  type: 'VoucherQuantityConsumed',
  data: {
    redemption_id: claim.redemption_id,
    claim_id: claim.claim_id,
    redeemed_quantity: state.voucher.redemption.redeemed_quantity + 1,
  },
});

const restore = (
  state: VoucherState,
  claim: Pick<ClaimRequest, 'redemption_id' | 'claim_id'>,
  cause: 'ABANDONED' | 'ROLLED_BACK',
): VoucherEvent => ({
  type: 'VoucherQuantityRestored',
  data: {
    redemption_id: claim.redemption_id,
    claim_id: claim.claim_id,
    redeemed_quantity: Math.max(0, state.voucher.redemption.redeemed_quantity - 1),
    cause,
  },
});

/** Takes one use for a claim that nobody has seen before. Refuses by dates, switches and windows of the voucher and
 *  its campaign, then by quantity. Source: spec 03 §4.3, architecture §8.2. */
export const claimUse = (
  state: VoucherState,
  claim: Pick<ClaimRequest, 'redemption_id' | 'claim_id'>,
  { campaign, now, timezone }: ClaimSurroundings,
): ClaimDecision | Refusal => {
  const refusal = usableAt(state.voucher, campaign, now, timezone) ?? quantityAllows(state.voucher);
  if (refusal) return refusal;
  const consumed = consume(state, claim);
  const after = evolveVoucher(state, consumed);
  return {
    events: [consumed],
    moves: [
      {
        ...claim,
        from: null,
        to: 'PROVISIONAL',
        redeemed_quantity: after.voucher.redemption.redeemed_quantity,
      },
    ],
    answer: after,
  };
};

/** The answer that the first request of a claim got. */
const asAnsweredFirst = (state: VoucherState, { redeemed_quantity }: ClaimRow): VoucherState => ({
  ...state,
  voucher: {
    ...state.voucher,
    redemption: {
      ...state.voucher.redemption,
      redeemed_quantity: redeemed_quantity ?? state.voucher.redemption.redeemed_quantity,
    },
  },
});

/** Gives an abandoned claim's use back; one that never arrived leaves a tombstone. Nothing where it is done. Throws
 *  for a confirmed claim: two verdicts on one redemption. */
export const revertClaim = (
  state: VoucherState | undefined,
  claim: Pick<ClaimRequest, 'redemption_id' | 'claim_id'>,
  row: ClaimRow | undefined,
): Omit<ClaimDecision, 'answer'> & { state: VoucherState | undefined } => {
  const identity = { redemption_id: claim.redemption_id, claim_id: claim.claim_id };
  if (!row) return { events: [], moves: [{ ...identity, from: null, to: 'REVERTED' }], state };
  switch (row.state) {
    case 'REVERTED':
      return { events: [], moves: [], state };
    case 'PROVISIONAL': {
      if (!state) throw new Error(`claim ${claim.claim_id} on a voucher that does not exist`);
      const restored = restore(state, identity, 'ABANDONED');
      return {
        events: [restored],
        moves: [{ ...identity, from: 'PROVISIONAL', to: 'REVERTED' }],
        state: evolveVoucher(state, restored),
      };
    }
    case 'CONFIRMED':
    case 'REFUNDED':
      throw new Error(`claim ${claim.claim_id} is ${row.state} and cannot be abandoned`);
    default:
      return row.state satisfies never;
  }
};

/** Decides a claim that may be a repeat or replaces others. `rows`: what is stored of it and of those it replaces. A
 *  repeat is answered as the first was; a reverted claim never comes back. Source: architecture §8.2. */
export const claimAgain = (
  state: VoucherState,
  claim: ClaimRequest,
  rows: ReadonlyMap<string, ClaimRow>,
  surroundings: ClaimSurroundings,
): ClaimDecision => {
  const own = rows.get(claim.claim_id);
  if (own?.state === 'REVERTED') return { events: [], moves: [], answer: claimAbandoned(claim.claim_id) };
  if (own) return { events: [], moves: [], answer: asAnsweredFirst(state, own) };
  const events: VoucherEvent[] = [];
  const moves: ClaimMove[] = [];
  let before = state;
  for (const claim_id of claim.replaces) {
    const reverted = revertClaim(
      before,
      { redemption_id: claim.redemption_id, claim_id },
      rows.get(claim_id),
    );
    events.push(...reverted.events);
    moves.push(...reverted.moves);
    before = reverted.state ?? before;
  }
  const { redemption_id, claim_id } = claim;
  const claimed = claimUse(before, { redemption_id, claim_id }, surroundings);
  return 'refused' in claimed
    ? { events, moves, answer: claimed }
    : { events: [...events, ...claimed.events], moves: [...moves, ...claimed.moves], answer: claimed.answer };
};

/** Gives a confirmed use back because its redemption was rolled back; a repeat changes nothing. Refuses
 *  `claim_abandoned` for claims that were never confirmed. Source: spec 03 §9. */
export const refundClaim = (
  state: VoucherState,
  claim: { redemption_id: string; claim_id: string; rollback_id: string },
  row: ClaimRow | undefined,
): ClaimDecision => {
  if (row?.state === 'REFUNDED') return { events: [], moves: [], answer: state };
  if (row?.state !== 'CONFIRMED') return { events: [], moves: [], answer: claimAbandoned(claim.claim_id) };
  const restored = restore(state, claim, 'ROLLED_BACK');
  return {
    events: [restored],
    moves: [{ ...claim, from: 'CONFIRMED', to: 'REFUNDED' }],
    answer: evolveVoucher(state, restored),
  };
};
