import { exportsMethods, type ExportsPort } from '../operations/exports.port';
import { definePort } from '@scrip/kernel';
import { type Participant, participantMethods, participantStreams } from '../claims';
import { tasksMethods, type TasksPort } from '../operations/tasks.port';
import type { CampaignSnapshot } from './campaign.snapshot';
import type { VoucherSnapshot } from './voucher.snapshot';

/** A voucher and the campaign whose dates, switch and rules also bind it. */
export interface RedeemableVoucher {
  voucher: VoucherSnapshot;
  campaign: CampaignSnapshot | null;
}

/** What other contexts may ask of campaigns. Vouchers are loaded by code or `v_` id, and claimed by id for `uses`.
 *  Source: architecture §7, §8. */
export interface CampaignsPort
  extends Participant<RedeemableVoucher, { voucher: VoucherSnapshot }>, TasksPort, ExportsPort {}

export const campaignsPort = definePort<CampaignsPort>(
  'campaigns',
  [...participantMethods, ...tasksMethods, ...exportsMethods],
  participantStreams,
);
