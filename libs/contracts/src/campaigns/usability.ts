import { type Refusal, refuse } from '@scrip/kernel';
import { DateTime, Duration } from 'luxon';
import type { ValidityWindows } from '../snapshot';
import type { CampaignSnapshot } from './campaign.snapshot';
import type { VoucherSnapshot } from './voucher.snapshot';

/** What of a voucher decides whether it may be used now. */
export type UsableVoucher = Pick<
  VoucherSnapshot,
  'code' | 'active' | 'start_date' | 'expiration_date' | 'publish' | keyof ValidityWindows
>;

/** What of its campaign does. */
export type UsableCampaign = Pick<
  CampaignSnapshot,
  'active' | 'start_date' | 'expiration_date' | 'activity_duration_after_publishing'
>;

type Interval = { start_date: string | null; expiration_date: string | null };

const begins = (limits: Interval | null): number =>
  limits?.start_date ? Date.parse(limits.start_date) : -Infinity;
const ends = (limits: Interval | null): number =>
  limits?.expiration_date ? Date.parse(limits.expiration_date) : Infinity;

/** A published voucher with an own activity duration outlives its campaign. */
const campaignEnds = (voucher: UsableVoucher, campaign: UsableCampaign | null): number =>
  campaign?.activity_duration_after_publishing && voucher.publish.count > 0 ? Infinity : ends(campaign);

/** The latest `start` + k · `interval` that is not after `now`; null before the start. */
const latestOccurrence = (start: DateTime, interval: Duration, now: DateTime): DateTime | null => {
  if (now < start) return null;
  const occurrence = (count: number): DateTime => start.plus(interval.mapUnits((amount) => amount * count));
  let count = Math.floor(now.diff(start).toMillis() / interval.toMillis());
  while (occurrence(count) > now) count -= 1;
  while (occurrence(count + 1) <= now) count += 1;
  return occurrence(count);
};

const timeframeIsOpen = (
  { validity_timeframe: timeframe }: ValidityWindows,
  startDate: string | null,
  now: DateTime,
): boolean => {
  if (!timeframe) return true;
  const interval = Duration.fromISO(timeframe.interval);
  const duration = Duration.fromISO(timeframe.duration);
  if (!startDate || !interval.isValid || !duration.isValid || interval.toMillis() <= 0) return false;
  const start = latestOccurrence(DateTime.fromISO(startDate, { zone: now.zone }), interval, now);
  if (!start) return false;
  return duration.toMillis() >= interval.toMillis() || now < start.plus(duration);
};

const weekdayOf = (now: DateTime): number => now.weekday % 7;

const timeOfDayMs = (text: string): number => {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000;
};

const hoursAreOpen = ({ validity_hours: hours }: ValidityWindows, now: DateTime): boolean => {
  if (!hours) return true;
  const nowMs = timeOfDayMs(now.toFormat('HH:mm:ss')) + now.millisecond;
  return hours.daily.some(
    ({ days_of_week: days, start_time: from, expiration_time: until }) =>
      days.includes(weekdayOf(now)) && timeOfDayMs(from) <= nowMs && (!until || nowMs <= timeOfDayMs(until)),
  );
};

/** Whether all recurring windows are open at `instant` in `timezone` (IANA). `startDate` is where timeframes count
 *  from. Days, weeks and months of a timeframe are added on the local calendar, so that a daily window keeps its
 *  hour across clock changes. Source: spec 04 §7. */
export const windowsAreOpen = (
  windows: ValidityWindows,
  startDate: string | null,
  instant: Date,
  timezone: string,
): boolean => {
  const now = DateTime.fromJSDate(instant, { zone: timezone });
  return (
    timeframeIsOpen(windows, startDate, now) &&
    (windows.validity_day_of_week?.includes(weekdayOf(now)) ?? true) &&
    hoursAreOpen(windows, now)
  );
};

/** Why the voucher cannot be used at `instant` (`voucher_not_active`, `voucher_expired`, `voucher_disabled`,
 *  `voucher_not_active_now`, in that order), or null when it can. Dates and switch of its campaign bind it too;
 *  recurring windows are the voucher's own. Source: spec 03 §4.3 (checks 3–6), spec 04 §7. */
export const usableAt = (
  voucher: UsableVoucher,
  campaign: UsableCampaign | null,
  instant: Date,
  timezone: string,
): Refusal | null => {
  const refusal = (key: string, message: string): Refusal =>
    refuse(key, voucher.code, { status: 400, message });
  const atMs = instant.getTime();
  if (atMs < begins(voucher) || atMs < begins(campaign))
    return refusal('voucher_not_active', 'voucher not active');
  if (atMs > ends(voucher) || atMs > campaignEnds(voucher, campaign)) {
    return refusal('voucher_expired', 'voucher expired');
  }
  if (!voucher.active || campaign?.active === false)
    return refusal('voucher_disabled', 'voucher is disabled');
  return windowsAreOpen(voucher, voucher.start_date, instant, timezone)
    ? null
    : refusal('voucher_not_active_now', 'voucher not active now');
};

/** Check 9: every use is taken, provisional ones included. `redemption.quantity` null = unlimited.
 *  Source: spec 03 §4.3. */
export const quantityAllows = (voucher: Pick<VoucherSnapshot, 'code' | 'redemption'>): Refusal | null => {
  const { quantity, redeemed_quantity: redeemed } = voucher.redemption;
  return quantity !== null && redeemed >= quantity
    ? refuse('quantity_exceeded', voucher.code, { status: 400, message: 'quantity exceeded' })
    : null;
};
