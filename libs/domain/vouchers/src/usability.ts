import { type Refusal, refuse } from '@scrip/kernel/pure';
import type { UsabilityRefusalKey } from './usability-refusals';
import { type ValidityWindows, windowsAreOpen } from './validity-windows';

/** What of a voucher decides whether it may be used now. Dates: ISO 8601 instants; null = no limit. */
export interface UsableVoucher extends ValidityWindows {
  code: string;
  active: boolean;
  start_date: string | null;
  expiration_date: string | null;
  publish: { count: number };
}

/** What of its campaign does. Dates: ISO 8601 instants; null = no limit. */
export interface UsableCampaign {
  active: boolean;
  start_date: string | null;
  expiration_date: string | null;
  activity_duration_after_publishing: string | null;
}

/** What of a voucher decides whether a use is left. */
export interface CountedVoucher {
  code: string;
  redemption: { quantity: number | null; redeemed_quantity: number };
}

type Interval = { start_date: string | null; expiration_date: string | null };

const begins = (limits: Interval | null): number =>
  limits?.start_date ? Date.parse(limits.start_date) : -Infinity;
const ends = (limits: Interval | null): number =>
  limits?.expiration_date ? Date.parse(limits.expiration_date) : Infinity;

/** A published voucher with an own activity duration outlives its campaign. */
const campaignEnds = (voucher: UsableVoucher, campaign: UsableCampaign | null): number =>
  campaign?.activity_duration_after_publishing && voucher.publish.count > 0 ? Infinity : ends(campaign);

/** Whether the voucher or its campaign begins after `instant`. */
export const beginsAfter = (
  voucher: UsableVoucher,
  campaign: UsableCampaign | null,
  instant: Date,
): boolean => instant.getTime() < Math.max(begins(voucher), begins(campaign));

/** Whether the voucher has ended before `instant`, by itself or with its campaign. */
export const endsBefore = (voucher: UsableVoucher, campaign: UsableCampaign | null, instant: Date): boolean =>
  instant.getTime() > Math.min(ends(voucher), campaignEnds(voucher, campaign));

/** Whether the voucher or its campaign is switched off. */
export const isSwitchedOff = (
  voucher: Pick<UsableVoucher, 'active'>,
  campaign: Pick<UsableCampaign, 'active'> | null,
): boolean => !voucher.active || campaign?.active === false;

/** Why the voucher cannot be used at `instant` (`voucher_not_active`, `voucher_expired`, `voucher_disabled`,
 *  `voucher_not_active_now`, in that order), or null when it can. Dates and switch of its campaign bind it too;
 *  recurring windows are the voucher's own. Source: reference 03 §4.3 (checks 3–6), reference 04 §7. */
export const usableAt = (
  voucher: UsableVoucher,
  campaign: UsableCampaign | null,
  instant: Date,
  timezone: string,
): Refusal<UsabilityRefusalKey> | null => {
  const refusal = (key: UsabilityRefusalKey) => refuse(key, voucher.code);
  if (beginsAfter(voucher, campaign, instant)) return refusal('voucher_not_active');
  if (endsBefore(voucher, campaign, instant)) return refusal('voucher_expired');
  if (isSwitchedOff(voucher, campaign)) return refusal('voucher_disabled');
  return windowsAreOpen(voucher, voucher.start_date, instant, timezone)
    ? null
    : refusal('voucher_not_active_now');
};

/** Check 9: every use is taken, provisional ones included, or held by sessions of others (`held`). `redemption.quantity` null = unlimited.
 *  Source: reference 03 §4.3. */
export const quantityAllows = (voucher: CountedVoucher, held = 0): Refusal<UsabilityRefusalKey> | null => {
  const { quantity, redeemed_quantity: redeemed } = voucher.redemption;
  return quantity !== null && redeemed + held >= quantity
    ? refuse('quantity_exceeded', voucher.code, {
        redemption: { quantity, redeemed_quantity: redeemed },
      })
    : null;
};
