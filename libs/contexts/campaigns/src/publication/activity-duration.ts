import type { CampaignSnapshot, VoucherSnapshot } from '@scrip/contracts/campaigns';
import { DateTime, Duration } from 'luxon';

type Dates = Pick<VoucherSnapshot, 'start_date' | 'expiration_date'>;

/** The dates of a voucher that is published at `now`: its own, or what the campaign's `activity_duration_after_publishing` makes
 *  of them. Days, weeks and months are those of the calendar in `timezone`. Source: reference 04 §7. */
export const datesWhenPublished = (
  { start_date, expiration_date }: Dates,
  campaign: Pick<CampaignSnapshot, 'activity_duration_after_publishing'> | null,
  { now, timezone }: { now: Date; timezone: string },
): Dates => {
  const duration = campaign?.activity_duration_after_publishing;
  if (!duration) return { start_date, expiration_date };
  const end = DateTime.fromJSDate(now, { zone: timezone }).plus(Duration.fromISO(duration));
  return { start_date: now.toISOString(), expiration_date: end.toJSDate().toISOString() };
};
