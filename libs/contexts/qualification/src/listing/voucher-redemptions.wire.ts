import type { VoucherUsesResponse } from '@scrip/wire/campaigns';
import type { RedemptionEntryResponse } from '../redemption/redemption-entry.wire';

/** The uses of a voucher, with its redemptions, failed ones and rollbacks. `total` counts the entries. */
export interface VoucherRedemptionsResponse extends VoucherUsesResponse {
  data_ref: 'redemption_entries';
  total: number;
  redemption_entries: RedemptionEntryResponse[];
}
