import type { ClaimRules } from '@scrip/claims';
import type { VoucherEvent, VoucherHolds } from '@scrip/contracts/campaigns';
import type { ClaimKey } from '@scrip/contracts/claims';
import type { Instant } from '@scrip/contracts/snapshot';
import type { RowChange } from '@scrip/event-store';
import { quantityAllows, referralAllows, usableAt } from '@scrip/vouchers';
import { type KeptCredits, creditsSuffice, giveCreditsBack, takeCredits } from '../gift/credits-claim';
import { decideRelease, isLive, restoredHold, withoutHolds } from '../holds/hold.decider';
import { holdOf, holdRows, type StoredHold } from '../holds/stored-hold';
import { isDeleted, voucherNotFound, type VoucherState } from '../voucher/voucher.decider';

/** What is true around the voucher while a use is claimed. The moment, in `timezone`, decides about windows. `hold`: what the claim's
 *  session holds of the voucher, as it was read before. */
export interface ClaimDependencies {
  timezone: string;
  hold?: StoredHold | null;
}

/** What a claim on a voucher keeps: how the voucher stood right after it. */
export interface KeptUse extends KeptCredits {
  redeemed_quantity: number;
  /** Absent from claims of releases in which uses did not change it. */
  updated_at?: Instant;
  /** The claim uses up what its session held. */
  hold?: true;
}

/** What becomes of the session's hold. `others`: what is left in the way. */
interface OwnHold {
  others: VoucherHolds | null;
  events: VoucherEvent[];
  rows: RowChange[];
  kept: Pick<KeptUse, 'hold'>;
}

/** The claim uses up what its session holds: what is counted with the others, or what a claim used up that this one replaces. */
const usedUp = (
  { holds }: VoucherState,
  { claim_id, replaces = [] }: { claim_id: string; replaces?: readonly string[] },
  { hold, now, projectId }: { hold: StoredHold | null | undefined; now: Instant; projectId: string },
): OwnHold => {
  const isOwn = hold && isLive(hold, now) && (hold.claim_id === null || replaces.includes(hold.claim_id));
  const others = holds ?? null;
  if (!isOwn) return { others, events: [], rows: [], kept: {} };
  const rows = [holdRows.claimed(projectId, hold, claim_id)];
  const kept = { hold: true as const };
  if (hold.claim_id !== null) return { others, events: [], rows, kept };
  const events = decideRelease({ own: hold, cause: 'REDEEMED', now }, holds);
  return { others: withoutHolds(holds, [hold]), events, rows, kept };
};

const keyOf = ({ redemption_id, claim_id }: ClaimKey): ClaimKey => ({ redemption_id, claim_id });

/** A claim takes one use, and of a gift card the credits that it asks for. Refuses a deleted voucher, then by dates, switches and
 *  windows of the voucher and its campaign, as both were read, then by quantity, then a referral code by its referrer, then by balance;
 *  what sessions of others hold counts as taken. A deleted voucher is given back to as well, and a session gets back what the claim
 *  used up of it. `now`: business time; `transactionId`: of the credits that move. Source: reference 03 §4.3, §8, architecture §8. */
export const voucherClaimRules = (
  now: Date,
  transactionId: string,
  projectId: string,
): Omit<ClaimRules<VoucherState, VoucherEvent, ClaimDependencies>, 'evolve'> => {
  const moment = { now: now.toISOString(), transactionId };
  return {
    take: (state, claim, { timezone, hold }) => {
      const { voucher, campaign = null } = state;
      const { uses, credits = 0, customer_id } = claim.asks;
      if (uses !== 1) throw new Error(`claim ${claim.claim_id} asks for no use of its voucher`);
      if (credits > 0 && !voucher.gift)
        throw new Error(`claim ${claim.claim_id} asks for credits of no gift card`);
      if (isDeleted(state)) return voucherNotFound(voucher.code);
      const own = usedUp(state, claim, { hold, now: moment.now, projectId });
      const refusal =
        usableAt(voucher, campaign, now, timezone) ??
        quantityAllows(voucher, own.others?.uses) ??
        referralAllows(voucher, customer_id) ??
        (credits > 0 ? creditsSuffice(voucher, credits, own.others?.credits) : null);
      if (refusal) return refusal;
      const redeemed_quantity = voucher.redemption.redeemed_quantity + 1;
      const consumed_at = moment.now;
      const consumed: VoucherEvent = {
        type: 'VoucherQuantityConsumed',
        data: { ...keyOf(claim), redeemed_quantity, consumed_at },
      };
      const kept: KeptUse = { redeemed_quantity, updated_at: consumed_at, ...own.kept };
      const { events, rows } = own;
      if (credits === 0) return { events: [...events, consumed], kept, rows };
      const redeemed = takeCredits(voucher, claim, moment);
      return {
        events: [...events, consumed, redeemed],
        kept: { ...kept, transaction: redeemed.data.transaction } satisfies KeptUse,
        rows,
      };
    },

    giveBack: (state, claim, cause) => {
      const { voucher } = state;
      const hold = claim.beside && cause === 'ABANDONED' ? holdOf(claim.beside) : null;
      const held = hold && isLive(hold, moment.now) ? hold : null;
      const events = held ? [restoredHold(held, state, moment.now)] : [];
      const rows = held ? [holdRows.claimed(projectId, held, null)] : [];
      const restored: VoucherEvent = {
        type: 'VoucherQuantityRestored',
        data: {
          ...keyOf(claim),
          redeemed_quantity: Math.max(0, voucher.redemption.redeemed_quantity - 1),
          cause,
          restored_at: moment.now,
        },
      };
      const { transaction: taken } = claim.kept as KeptUse;
      if (!taken) return { events: [restored, ...events], rows };
      const refunded = giveCreditsBack(voucher, taken, claim, { ...moment, cause });
      const { transaction: refund } = refunded.data;
      return {
        events: [restored, refunded, ...events],
        rows,
        ...(refund ? { kept: { ...claim.kept, refund } satisfies Partial<KeptUse> } : {}),
      };
    },
  };
};
