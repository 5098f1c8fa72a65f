import type { Refusal, RequestContext } from '@scrip/kernel';
import { definePort } from '@scrip/rpc';
import type { Claimed, ClaimRequest, Outcome, RefundRequest } from '../claims';
import type { AsyncActionSnapshot } from '../operations/task.events';
import type { CampaignSnapshot } from './campaign.snapshot';
import type { VoucherSnapshot } from './voucher.snapshot';

/** A voucher and the campaign whose dates, switch and rules also bind it. */
export interface RedeemableVoucher {
  voucher: VoucherSnapshot;
  campaign: CampaignSnapshot | null;
}

/** What other contexts may ask of campaigns. Source: architecture §7, §8. */
export interface CampaignsPort {
  /** By code or `v_` id, in the order asked; `not_found` for what does not exist. */
  loadRedeemables(
    context: RequestContext,
    request: { vouchers: string[] },
  ): Promise<(RedeemableVoucher | Refusal)[]>;

  /** One use each, decided again on the voucher's own stream. Refuses `quantity_exceeded`, `voucher_disabled`, …
   *  Claims are taken in one global order (voucher id); the first refusal leaves the earlier ones provisional. */
  claim(
    context: RequestContext,
    request: { claims: (ClaimRequest & { voucher_id: string })[] },
  ): Promise<Claimed<{ voucher: VoucherSnapshot }>[]>;

  /** Confirms or reverts provisional claims. Idempotent; unknown claims of an abandoned redemption become tombstones. */
  settle(
    context: RequestContext,
    request: {
      outcomes: Outcome[];
      claims: { redemption_id: string; claim_id: string; voucher_id: string }[];
    },
  ): Promise<null>;

  /** Gives uses back for rollbacks, and answers the vouchers as they stand after. Idempotent. */
  refund(
    context: RequestContext,
    request: { claims: (RefundRequest & { voucher_id: string })[] },
  ): Promise<Claimed<{ voucher: VoucherSnapshot }>[]>;

  /** A background task of campaigns. Refuses `not_found`. */
  loadAsyncAction(context: RequestContext, request: { id: string }): Promise<AsyncActionSnapshot | Refusal>;
}

export const campaignsPort = definePort<CampaignsPort>('campaigns', [
  'loadRedeemables',
  'claim',
  'settle',
  'refund',
  'loadAsyncAction',
]);
