import type { RedeemableVoucher } from '@scrip/contracts/campaigns';
import { beginsAfter, endsBefore, isSwitchedOff, quantityAllows } from '@scrip/vouchers';
import type { RedeemableStatus } from '@scrip/wire/campaigns';

const balanceOf = ({ gift, loyalty_card }: RedeemableVoucher['voucher']): number =>
  gift?.balance ?? loyalty_card?.balance ?? Infinity;

/** What a customer can do with a code at `instant`; recurring windows do not count. Source: reference 02 §9. */
export const redeemableStatus = (
  { voucher, campaign }: RedeemableVoucher,
  instant: Date,
): RedeemableStatus => {
  if (isSwitchedOff(voucher, campaign)) return 'DISABLED';
  if (endsBefore(voucher, campaign, instant)) return 'EXPIRED';
  if (beginsAfter(voucher, campaign, instant)) return 'NOT_ACTIVE_YET';
  if (quantityAllows(voucher)) return 'USED';
  return balanceOf(voucher) > 0 ? 'ACTIVE' : 'NO_BALANCE';
};
