import type { Refusal } from '@scrip/kernel';
import { quantityAllows, tierUsableAt, usableAt } from '@scrip/vouchers';
import type { PromotionTierEntry, VoucherEntry } from './request-file/request-file';

/** When something is used. */
interface Moment {
  readonly now: Date;
  readonly timezone: string;
}

const windowsOf = ({
  validity_timeframe = null,
  validity_day_of_week = null,
  validity_hours = null,
}: VoucherEntry | PromotionTierEntry) => ({ validity_timeframe, validity_day_of_week, validity_hours });

/** Returns why the voucher cannot be used now: dates, switch, recurring windows, number of uses. Source: reference 03
 *  §4.3 (checks 3–6, 9). */
export const voucherRefusal = (entry: VoucherEntry, { now, timezone }: Moment): Refusal | null => {
  const voucher = {
    ...windowsOf(entry),
    code: entry.id,
    active: entry.active ?? true,
    start_date: entry.start_date ?? null,
    expiration_date: entry.expiration_date ?? null,
    publish: { count: entry.publish?.count ?? 0 },
    redemption: {
      quantity: entry.redemption?.quantity ?? null,
      redeemed_quantity: entry.redemption?.redeemed_quantity ?? 0,
    },
  };
  return usableAt(voucher, null, now, timezone) ?? quantityAllows(voucher);
};

/** Returns why the tier cannot be used now: switch, dates, recurring windows. Source: reference 03 §4.3 (checks 7,
 *  8). */
export const tierRefusal = (entry: PromotionTierEntry, { now, timezone }: Moment): Refusal | null => {
  const { id, active = true, start_date = null, expiration_date = null } = entry;
  const tier = { ...windowsOf(entry), id, active, start_date, expiration_date };
  return tierUsableAt(tier, null, now, timezone);
};
