import { type Refusal, refuse } from '@scrip/kernel/pure';
import type { TierRefusalKey } from './usability-refusals';
import { type ValidityWindows, windowsAreOpen } from './validity-windows';

/** What limits a tier, or its campaign. Dates: ISO 8601 instants; null = no limit. */
export interface TierLimits extends ValidityWindows {
  active: boolean;
  start_date: string | null;
  expiration_date: string | null;
}

/** What of a tier decides whether it may be used now. */
export interface UsableTier extends TierLimits {
  id: string;
}

const hasWindows = ({ validity_timeframe, validity_day_of_week, validity_hours }: ValidityWindows): boolean =>
  validity_timeframe !== null || validity_day_of_week !== null || validity_hours !== null;

/** Why a tier cannot be used at `instant` (`promotion_inactive`, `promotion_not_active_now`, in that order), or null when it
 *  can. It must be switched on, and its campaign too. Each date is its own where it has one, else its campaign's, and so are
 *  the recurring windows together; a timeframe counts from the start that holds. `campaign` null: nothing is known of it.
 *  Source: reference 03 §4.3 (checks 7, 8), reference 04 §7. */
export const tierUsableAt = (
  tier: UsableTier,
  campaign: TierLimits | null,
  instant: Date,
  timezone: string,
): Refusal<TierRefusalKey> | null => {
  const starts = tier.start_date ?? campaign?.start_date ?? null;
  const ends = tier.expiration_date ?? campaign?.expiration_date ?? null;
  const isWithin =
    (starts === null || Date.parse(starts) <= instant.getTime()) &&
    (ends === null || instant.getTime() <= Date.parse(ends));
  if (!tier.active || campaign?.active === false || !isWithin)
    return refuse('promotion_inactive', `Promotion Tier with id: ${tier.id} is disabled.`);
  const windows = campaign && !hasWindows(tier) ? campaign : tier;
  return windowsAreOpen(windows, starts, instant, timezone)
    ? null
    : refuse('promotion_not_active_now', tier.id);
};
