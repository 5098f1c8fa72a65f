import type { CampaignSnapshot } from './campaign.snapshot';
import type { VoucherSnapshot } from './voucher.snapshot';

/** A voucher and the campaign whose dates, switch and rules also bind it. `held`: what other sessions than the caller's hold of it; absent
 *  for nothing. Credits: minor units. */
export interface RedeemableVoucher {
  voucher: VoucherSnapshot;
  campaign: CampaignSnapshot | null;
  held?: { uses: number; credits: number };
}
