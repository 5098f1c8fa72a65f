import type { Statement } from '../database/database';
import { currentEpoch } from './epoch';
import { type LogPosition, parsePosition } from './log-position';
import { eventColumns } from './stream-reader';

/** Which events to read: those after a position in log order, at most `limit`. `aggregates`: only these.
 *  `recordedAfter`: no wanted event was recorded before, which spares looking into old partitions. `maxBytes`: the page
 *  ends with the event that reaches so many bytes. */
export interface LogQuery {
  after: LogPosition;
  limit: number;
  aggregates?: readonly string[] | undefined;
  recordedAfter?: Date | undefined;
  maxBytes?: number | undefined;
}

/** What may be read: events of older epochs, and those whose `ord` no running transaction can still precede. Anything
 *  at or above the oldest running transaction waits, as another event may yet appear before it. */
const horizon = `${currentEpoch}, pg_snapshot_xmin(pg_current_snapshot())`;

const inLogOrder = `e.epoch, e.ord, e.position`;

const after = `$1::int, $2::xid8, $3::bigint`;

/** SQL for a bound of which the planner knows no value. It judges a comparison of rows by its first column: with the
 *  epoch or the aggregate at hand it expects next to nothing behind it, and sorts all that follows for each page. */
const unseen = (value: string): string => `(SELECT ${value})`;

const afterUnseen = `${unseen('$1::int')}, $2::xid8, $3::bigint`;

const recordedAfter = `e.recorded_at >= $5::timestamptz`;

const wholeLog = `
  SELECT e.* FROM events e
  WHERE (${inLogOrder}) > (${afterUnseen}) AND (e.epoch, e.ord) < (${horizon}) AND ${recordedAfter}
  ORDER BY ${inLogOrder} LIMIT $4::int`;

// A range of the aggregate's own index; with "aggregate = …" the planner may walk through everybody's events instead.
const logOf = (aggregate: string): string => `
  SELECT e.* FROM events e
  WHERE (e.aggregate, ${inLogOrder}) > (${aggregate}, ${after}) AND (e.aggregate, e.epoch, e.ord) < (${aggregate}, ${horizon})
    AND ${recordedAfter}
  ORDER BY e.aggregate, ${inLogOrder} LIMIT $4::int`;

const mergedLogs = `
  SELECT e.* FROM unnest($6::text[]) AS a(name), LATERAL (${logOf('a.name')}) e
  ORDER BY ${inLogOrder} LIMIT $4::int`;

// Without decompressing anything: what is cut off is never read. Compressed data counts fourfold.
const bytes = `(400 + pg_column_size(e.data) * CASE WHEN pg_column_compression(e.data) IS NULL THEN 1 ELSE 4 END)`;

const withinBytes = (page: string, maxBytes: string): string => `
  SELECT ${eventColumns}, e.bytes_to_here FROM (
    SELECT e.*, ${bytes} AS bytes, sum(${bytes}) OVER (ORDER BY ${inLogOrder} ROWS UNBOUNDED PRECEDING) AS bytes_to_here
    FROM (${page}) e
  ) e
  WHERE e.bytes_to_here - e.bytes < ${maxBytes}::bigint ORDER BY ${inLogOrder}`;

/** The next events of the log in its order. With several aggregates each is read by its own index and merged. With
 *  `maxBytes` each row also has `bytes_to_here`: what the page weighs up to it. */
export const readLogStatement = (query: LogQuery): Statement => {
  const { epoch, ord, position } = parsePosition(query.after);
  const since = query.recordedAfter?.toISOString() ?? '-infinity';
  const values: unknown[] = [epoch, ord, position, query.limit, since];
  const [only, ...others] = query.aggregates ?? [];
  let page = wholeLog;
  if (query.aggregates) {
    const isOne = only !== undefined && others.length === 0;
    page = isOne ? logOf(unseen('$6::text')) : mergedLogs;
    values.push(isOne ? only : query.aggregates);
  }
  if (query.maxBytes !== undefined)
    return { text: withinBytes(page, `$${values.push(query.maxBytes)}`), values };
  return { text: `SELECT ${eventColumns} FROM (${page}) e ORDER BY ${inLogOrder}`, values };
};

/** When the event at a position was recorded; no row where there is none. */
export const recordedAtStatement = (at: LogPosition): Statement => {
  const { epoch, ord, position } = parsePosition(at);
  return {
    text: `SELECT e.recorded_at FROM events e WHERE (${inLogOrder}) = (${after})`,
    values: [epoch, ord, position],
  };
};

/** The position of the last readable event. */
export const headStatement: Statement = {
  text: `
    SELECT e.epoch, e.ord::text AS ord, e.position::text AS position FROM events e
    WHERE (e.epoch, e.ord) < (${horizon}) ORDER BY e.epoch DESC, e.ord DESC, e.position DESC LIMIT 1`,
  values: [],
};
