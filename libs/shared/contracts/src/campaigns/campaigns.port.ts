import { definePort, type Refusal, type RequestContext } from '@scrip/kernel';
import { type Participant, participantMethods, participantStreams } from '../claims';
import type { AsyncActionSnapshot } from '../operations/task.events';
import type { CampaignSnapshot } from './campaign.snapshot';
import type { VoucherSnapshot } from './voucher.snapshot';

/** A voucher and the campaign whose dates, switch and rules also bind it. */
export interface RedeemableVoucher {
  voucher: VoucherSnapshot;
  campaign: CampaignSnapshot | null;
}

/** What other contexts may ask of campaigns. Vouchers are loaded by code or `v_` id, and claimed by id for `uses`.
 *  Source: architecture §7, §8. */
export interface CampaignsPort extends Participant<RedeemableVoucher, { voucher: VoucherSnapshot }> {
  /** A background task of campaigns. Refuses `not_found`. */
  loadAsyncAction(
    context: RequestContext,
    request: { id: string },
  ): Promise<AsyncActionSnapshot | Refusal<'not_found'>>;
}

export const campaignsPort = definePort<CampaignsPort>(
  'campaigns',
  [...participantMethods, 'loadAsyncAction'],
  participantStreams,
);
