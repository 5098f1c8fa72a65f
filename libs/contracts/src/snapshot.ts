/** A JSON object as an API caller sent it. */
export type Metadata = Record<string, unknown>;

/** An API call's or job's ISO 8601 instant in UTC with milliseconds, e.g. `2026-03-31T10:00:00.000Z`. */
export type Instant = string;

/** Recurring windows of a voucher or campaign, in the project's time zone. Source: spec 04 §7. */
export interface ValidityWindows {
  /** ISO 8601 durations: how often it opens, and for how long. */
  validity_timeframe: { interval: string; duration: string } | null;
  /** 0 = Sunday … 6 = Saturday. */
  validity_day_of_week: number[] | null;
  /** Hours of weekdays, as `HH:mm`. */
  validity_hours: {
    daily: { days_of_week: number[]; start_time: string; expiration_time?: string | undefined }[];
  } | null;
}

/** A category as redeemables show it. Source: spec 04 §9. */
export interface CategorySnapshot {
  id: string;
  name: string;
  hierarchy: number;
  object: 'category';
  created_at: Instant;
  updated_at?: Instant;
}
