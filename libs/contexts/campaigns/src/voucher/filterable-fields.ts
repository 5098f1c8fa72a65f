import { isDeepStrictEqual } from 'node:util';
import type { VoucherSnapshot } from '@scrip/contracts/campaigns';
import type { VoucherState } from './voucher.decider';

type Filterable = Pick<
  VoucherSnapshot,
  | 'category'
  | 'category_id'
  | 'holder_id'
  | 'is_referral_code'
  | 'active'
  | 'start_date'
  | 'expiration_date'
  | 'validity_day_of_week'
  | 'metadata'
> & { redemption: { quantity: number | null } };

const filterableOf = (voucher: Omit<VoucherSnapshot, 'id' | 'code' | 'created_at'>): Filterable => ({
  category: voucher.category,
  category_id: voucher.category_id,
  holder_id: voucher.holder_id,
  is_referral_code: voucher.is_referral_code,
  active: voucher.active,
  start_date: voucher.start_date,
  expiration_date: voucher.expiration_date,
  validity_day_of_week: voucher.validity_day_of_week,
  metadata: voucher.metadata,
  redemption: { quantity: voucher.redemption.quantity },
});

/** What lists filter a voucher by, all of it, laid out as in its definition; null where its definition says the same.
 *  Redemptions change none of it. Source: ADR 63. */
export const ownFilterableFields = ({ voucher, definition }: VoucherState): Filterable | null => {
  const own = filterableOf(voucher);
  return definition && isDeepStrictEqual(own, filterableOf(definition)) ? null : own;
};
