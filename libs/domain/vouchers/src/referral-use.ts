import { type Refusal, refuse } from '@scrip/kernel/pure';
import type { UsabilityRefusalKey } from './usability-refusals';

/** What of a voucher decides which customer may use it. */
export interface ReferringVoucher {
  code: string;
  is_referral_code: boolean;
  /** The customer who refers others with it. */
  referrer_id: string | null;
  publish: { count: number };
}

/** Check 10: a referral code is used once it has a referrer, and by other customers. `customerId`: who uses it, empty for a
 *  customer who is not stored; null or undefined for none. Allows every code that is no referral code.
 *  Source: reference 03 §4.3. */
export const referralAllows = (
  { code, is_referral_code, referrer_id, publish }: ReferringVoucher,
  customerId: string | null | undefined,
): Refusal<UsabilityRefusalKey> | null => {
  if (!is_referral_code) return null;
  if (publish.count === 0) return refuse('not_published', code);
  if (customerId === null || customerId === undefined) {
    return refuse('missing_customer', 'Customer is required to redeem a referral code');
  }
  return customerId !== '' && customerId === referrer_id
    ? refuse('referrer_not_permitted_to_redeem', code)
    : null;
};
