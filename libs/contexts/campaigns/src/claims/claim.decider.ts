import type { ClaimRules } from '@scrip/claims';
import type { VoucherEvent } from '@scrip/contracts/campaigns';
import type { ClaimKey } from '@scrip/contracts/claims';
import type { Instant } from '@scrip/contracts/snapshot';
import { quantityAllows, referralAllows, usableAt } from '@scrip/vouchers';
import { type KeptCredits, creditsSuffice, giveCreditsBack, takeCredits } from '../gift/credits-claim';
import { isDeleted, voucherNotFound, type VoucherState } from '../voucher/voucher.decider';

/** What is true around the voucher while a use is claimed. The moment, in `timezone`, decides about windows. */
export interface ClaimDependencies {
  timezone: string;
}

/** What a claim on a voucher keeps: how the voucher stood right after it. */
export interface KeptUse extends KeptCredits {
  redeemed_quantity: number;
  /** Absent from claims of releases in which uses did not change it. */
  updated_at?: Instant;
}

const keyOf = ({ redemption_id, claim_id }: ClaimKey): ClaimKey => ({ redemption_id, claim_id });

/** A claim takes one use, and of a gift card the credits that it asks for. Refuses a deleted voucher, then by dates, switches and
 *  windows of the voucher and its campaign, as both were read, then by quantity, then a referral code by its referrer, then by balance. Gives back to a deleted one,
 *  too. `now`: business time; `transactionId`: of
 *  the credits that move. Source: reference 03 §4.3, architecture §8. */
export const voucherClaimRules = (
  now: Date,
  transactionId: string,
): Omit<ClaimRules<VoucherState, VoucherEvent, ClaimDependencies>, 'evolve'> => {
  const moment = { now: now.toISOString(), transactionId };
  return {
    take: (state, claim, { timezone }) => {
      const { voucher, campaign = null } = state;
      const { uses, credits = 0, customer_id } = claim.asks;
      if (uses !== 1) throw new Error(`claim ${claim.claim_id} asks for no use of its voucher`);
      if (credits > 0 && !voucher.gift)
        throw new Error(`claim ${claim.claim_id} asks for credits of no gift card`);
      if (isDeleted(state)) return voucherNotFound(voucher.code);
      const refusal =
        usableAt(voucher, campaign, now, timezone) ??
        quantityAllows(voucher) ??
        referralAllows(voucher, customer_id) ??
        (credits > 0 ? creditsSuffice(voucher, credits) : null);
      if (refusal) return refusal;
      const redeemed_quantity = voucher.redemption.redeemed_quantity + 1;
      const consumed_at = moment.now;
      const consumed: VoucherEvent = {
        type: 'VoucherQuantityConsumed',
        data: { ...keyOf(claim), redeemed_quantity, consumed_at },
      };
      const kept: KeptUse = { redeemed_quantity, updated_at: consumed_at };
      if (credits === 0) return { events: [consumed], kept };
      const redeemed = takeCredits(voucher, claim, moment);
      return {
        events: [consumed, redeemed],
        kept: { ...kept, transaction: redeemed.data.transaction } satisfies KeptUse,
      };
    },

    giveBack: ({ voucher }, claim, cause) => {
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
      if (!taken) return { events: [restored] };
      const refunded = giveCreditsBack(voucher, taken, claim, { ...moment, cause });
      const { transaction: refund } = refunded.data;
      return {
        events: [restored, refunded],
        ...(refund ? { kept: { ...claim.kept, refund } satisfies Partial<KeptUse> } : {}),
      };
    },
  };
};
