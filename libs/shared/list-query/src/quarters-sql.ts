/** The beginning of the quarter of an hour that `instant`, SQL of a timestamp with time zone, is in. A quarter is inside one day of
 *  every time zone: sums by quarters have the days of any. */
export const quarterSql = (instant: string): string =>
  `date_bin('15 minutes', ${instant}, TIMESTAMPTZ '2001-01-01 00:00Z')`;

/** Whether `instant` is on a day from `first` to `last`, both inclusive, in the time zone `zone`; null days bound nothing. All are
 *  SQL, days and zone as texts. */
export const onDaysSql = (
  instant: string,
  { first, last, zone }: { first: string; last: string; zone: string },
): string =>
  `${instant} >= coalesce(${first}::date::timestamp AT TIME ZONE ${zone}, '-infinity')
    AND ${instant} < coalesce((${last}::date + 1)::timestamp AT TIME ZONE ${zone}, 'infinity')`;
