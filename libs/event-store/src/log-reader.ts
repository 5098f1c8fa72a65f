import type { Statement } from './database';
import { currentEpoch } from './epoch';
import { type LogPosition, parsePosition } from './log-position';
import { eventColumns } from './stream-reader';

/** What may be read: events of older epochs, and those whose `ord` no running transaction can still precede. Anything
 *  at or above the oldest running transaction waits, as another event may yet appear before it. */
const horizon = `${currentEpoch}, pg_snapshot_xmin(pg_current_snapshot())`;

const inLogOrder = `e.epoch, e.ord, e.position`;

const after = `$1::int, $2::xid8, $3::bigint`;

const wholeLog = `
  SELECT ${eventColumns} FROM events e
  WHERE (${inLogOrder}) > (${after}) AND (e.epoch, e.ord) < (${horizon})
  ORDER BY ${inLogOrder} LIMIT $4::int`;

// A range of the aggregate's own index; with "aggregate = …" the planner may walk through everybody's events instead.
const logOf = (aggregate: string): string => `
  SELECT ${eventColumns} FROM events e
  WHERE (e.aggregate, ${inLogOrder}) > (${aggregate}, ${after}) AND (e.aggregate, e.epoch, e.ord) < (${aggregate}, ${horizon})
  ORDER BY e.aggregate, ${inLogOrder} LIMIT $4::int`;

const mergedLogs = `
  SELECT e.* FROM unnest($5::text[]) AS a(name), LATERAL (${logOf('a.name')}) e
  ORDER BY e.epoch, e.ord::xid8, e.position::bigint LIMIT $4::int`;

/** The next events of the log in its order. With several aggregates each is read by its own index and merged. */
export const readLogStatement = (query: {
  after: LogPosition;
  limit: number;
  aggregates?: readonly string[];
}): Statement => {
  const { epoch, ord, position } = parsePosition(query.after);
  const values = [epoch, ord, position, query.limit];
  if (!query.aggregates) return { text: wholeLog, values };
  const [only, ...others] = query.aggregates;
  return others.length === 0 && only !== undefined
    ? { text: logOf('$5::text'), values: [...values, only] }
    : { text: mergedLogs, values: [...values, query.aggregates] };
};

/** The position of the last readable event. */
export const headStatement: Statement = {
  text: `
    SELECT e.epoch, e.ord::text AS ord, e.position::text AS position FROM events e
    WHERE (e.epoch, e.ord) < (${horizon}) ORDER BY e.epoch DESC, e.ord DESC, e.position DESC LIMIT 1`,
  values: [],
};

/** How long the oldest writing transaction of the whole server has been open: no event is read past it. Seconds. */
export const horizonAgeStatement: Statement = {
  text: `
    SELECT coalesce(extract(epoch FROM clock_timestamp() - min(began)), 0)::float8 AS seconds FROM (
      SELECT xact_start AS began FROM pg_stat_activity WHERE backend_xid IS NOT NULL
      UNION ALL SELECT prepared FROM pg_prepared_xacts
    ) writing`,
  values: [],
};
