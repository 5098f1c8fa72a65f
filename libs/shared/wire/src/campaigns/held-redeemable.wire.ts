import type { HolderSnapshot, VoucherSnapshot } from '@scrip/contracts/campaigns';
import { type HolderResponse, renderHolder } from './holder.wire';
import type { VoucherAssets } from './voucher-assets';
import { renderVoucher, type VoucherResponse } from './voucher.wire';

/** What a customer can do with a code. NO_BALANCE: a card has nothing left. */
export type RedeemableStatus = 'ACTIVE' | 'USED' | 'DISABLED' | 'NOT_ACTIVE_YET' | 'EXPIRED' | 'NO_BALANCE';

/** A code that a customer holds. */
export interface HeldRedeemableResponse extends HolderResponse {
  redeemable: { type: 'voucher'; voucher: VoucherResponse; status: RedeemableStatus };
}

/** A customer's part in a code with the code. Source: reference 02 §9. */
export const renderHeldRedeemable = (
  { holder, voucher, status }: { holder: HolderSnapshot; voucher: VoucherSnapshot; status: RedeemableStatus },
  assets: VoucherAssets,
): HeldRedeemableResponse => ({
  ...renderHolder(holder),
  redeemable: { type: 'voucher', voucher: renderVoucher(voucher, assets), status },
});

/** What browsers are shown of a voucher. */
export interface BrowserVoucherResponse extends Pick<
  VoucherResponse,
  'code' | 'type' | 'discount' | 'gift' | 'loyalty_card' | 'start_date' | 'expiration_date' | 'object'
> {
  redemption: { quantity: number | null; redeemed_quantity: number };
}

/** A voucher in lists of browsers: it names no customer. Source: reference 07 §2.3. */
export const renderVoucherToBrowser = ({
  redemption,
  ...voucher
}: VoucherSnapshot): BrowserVoucherResponse => ({
  code: voucher.code,
  type: voucher.type,
  discount: voucher.discount,
  gift: voucher.gift,
  loyalty_card: voucher.loyalty_card,
  start_date: voucher.start_date,
  expiration_date: voucher.expiration_date,
  redemption: { quantity: redemption.quantity, redeemed_quantity: redemption.redeemed_quantity },
  object: 'voucher',
});
