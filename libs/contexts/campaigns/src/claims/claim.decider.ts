import type { ClaimRules } from '@scrip/claims';
import type { CampaignSnapshot, VoucherEvent } from '@scrip/contracts/campaigns';
import type { ClaimKey } from '@scrip/contracts/claims';
import type { Instant } from '@scrip/contracts/snapshot';
import { quantityAllows, usableAt } from '@scrip/vouchers';
import type { VoucherState } from '../voucher/voucher.decider';

/** What is true around the voucher while a use is claimed. The moment, in `timezone`, decides about windows. */
export interface ClaimDependencies {
  campaign: CampaignSnapshot | null;
  timezone: string;
}

/** What a claim on a voucher keeps: how the voucher stood right after it. */
export interface KeptUse {
  redeemed_quantity: number;
  /** Absent from claims of releases in which uses did not change it. */
  updated_at?: Instant;
}

const keyOf = ({ redemption_id, claim_id }: ClaimKey): ClaimKey => ({ redemption_id, claim_id });

/** A claim takes one use. Refuses by dates, switches and windows of the voucher and its campaign, then by quantity.
 *  `now`: business time. Source: reference 03 §4.3, architecture §8. */
export const voucherClaimRules = (
  now: Date,
): Omit<ClaimRules<VoucherState, VoucherEvent, ClaimDependencies>, 'evolve'> => ({
  take: ({ voucher }, claim, { campaign, timezone }) => {
    if (claim.asks.uses !== 1) throw new Error(`claim ${claim.claim_id} asks for no use of its voucher`);
    const refusal = usableAt(voucher, campaign, now, timezone) ?? quantityAllows(voucher);
    if (refusal) return refusal;
    const redeemed_quantity = voucher.redemption.redeemed_quantity + 1;
    const consumed_at = now.toISOString();
    const kept: KeptUse = { redeemed_quantity, updated_at: consumed_at };
    return {
      events: [
        { type: 'VoucherQuantityConsumed', data: { ...keyOf(claim), redeemed_quantity, consumed_at } },
      ],
      kept,
    };
  },

  giveBack: ({ voucher }, claim, cause) => [
    {
      type: 'VoucherQuantityRestored',
      data: {
        ...keyOf(claim),
        redeemed_quantity: Math.max(0, voucher.redemption.redeemed_quantity - 1),
        cause,
        restored_at: now.toISOString(),
      },
    },
  ],
});
