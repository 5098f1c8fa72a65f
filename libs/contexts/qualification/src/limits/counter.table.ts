import { type RowChange, type SideRows, runQuery } from '@scrip/event-store';
import type { CalendarDay } from '@scrip/kernel';
import type { DataSource, EntityManager } from 'typeorm';
import { type CounterKey, counterName } from '@scrip/order-preview';
import type { Addition, CountedAmounts, CounterScope } from './counter';
import { countedRedeemables, countedRedemptions, countsFor } from './counts.sql';

/** A scope whose counters are kept. COUNTING: what was redeemed before is still being added. */
export interface KeptScope extends CounterScope {
  state: 'COUNTING' | 'ACTIVE';
}

/** Tables of counters. A row per day, and one of day `-infinity` with the sum of all: a transaction that admits
 *  redemptions locks that one first. Scopes stay once they are there. */
export const counterTablesSql = `
  CREATE TABLE limit_scopes (
    project_id text COLLATE "C" NOT NULL,
    object text COLLATE "C" NOT NULL,
    counted_by text COLLATE "C" NOT NULL CHECK (counted_by IN ('all', 'customer', 'api_key', 'user')),
    state text NOT NULL CHECK (state IN ('COUNTING', 'ACTIVE')),
    attempt int NOT NULL DEFAULT 0,
    lease_until timestamptz,
    PRIMARY KEY (project_id, object, counted_by)
  );
  CREATE TABLE limit_counters (
    project_id text COLLATE "C" NOT NULL,
    object text COLLATE "C" NOT NULL,
    counted_by text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    day date NOT NULL,
    redemptions bigint NOT NULL DEFAULT 0,
    order_amount bigint NOT NULL DEFAULT 0,
    discount_amount bigint NOT NULL DEFAULT 0,
    credits bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (project_id, object, counted_by, subject, day)
  ) WITH (fillfactor = 70)`;

/** The day of the row that holds the sum of all days. */
export const allDays = '-infinity';

/** What an addition changes: the sum of all days, and its own day where the counter has days. `times` -1 takes it back. */
export const additionRows = (
  projectId: string,
  additions: readonly Addition[],
  times: 1 | -1 = 1,
): RowChange[] =>
  additions.flatMap(({ key, day, by }) =>
    (day === null ? [allDays] : [allDays, day]).map((period): RowChange => ({
      increment: 'limit_counters',
      key: { project_id: projectId, ...key, day: period },
      by: Object.fromEntries(Object.entries(by).map(([column, value]) => [column, times * value])),
    })),
  );

/** The table of the scopes whose counters are kept. */
export const scopesTable = 'limit_scopes';

/** Aborts the statement, with `StaleRow` of `scopesTable`, where counters of one of the objects are kept. */
export const withoutCounters = (projectId: string, objects: readonly string[]): RowChange[] =>
  [...new Set(objects)].map((object) => ({ absent: scopesTable, key: { project_id: projectId, object } }));

/** The scopes whose counters are kept, of these objects. */
export const keptScopes = (
  manager: EntityManager,
  projectId: string,
  objects: readonly string[],
): Promise<KeptScope[]> =>
  manager.query<KeptScope[]>(
    `SELECT object, counted_by, state FROM limit_scopes WHERE project_id = $1 AND object = ANY($2)`,
    [projectId, [...new Set(objects)]],
  );

/** A kept scope that a redemption counts for. */
export interface RedemptionScope extends KeptScope {
  redemption_id: string;
}

/** The same for the facts of a redemption that is being rolled back, as side rows of its stream. */
export const scopesOfRedemption: SideRows<RedemptionScope> = {
  table: scopesTable,
  key: ['project_id', 'object', 'counted_by'],
  load: (read, { projectId }, ids) =>
    read<RedemptionScope>({
      text: `
        SELECT DISTINCT r.id AS redemption_id, l.project_id, l.object, l.counted_by, l.state
        FROM ${countedRedemptions}, ${countedRedeemables}
        JOIN limit_scopes l ON l.project_id = $1 AND ${countsFor('l.object')}
        WHERE r.project_id = $1 AND r.id = ANY($2)`,
      values: [projectId, ids],
    }),
  idOf: ({ redemption_id }) => redemption_id,
};

const columnsOf = (keys: readonly CounterKey[]): string[][] => [
  keys.map(({ object }) => object),
  keys.map(({ counted_by }) => counted_by),
  keys.map(({ subject }) => subject),
];

type CounterRow = CounterKey & CountedAmounts;

/** Amounts as PostgreSQL returns them: bigints are texts. */
export const amountsIn = (row: CountedAmounts): CountedAmounts => ({
  redemptions: Number(row.redemptions),
  order_amount: Number(row.order_amount),
  discount_amount: Number(row.discount_amount),
  credits: Number(row.credits),
  units: Number(row.units),
});

const distinct = (keys: readonly CounterKey[]): CounterKey[] => [
  ...new Map(keys.map((key) => [counterName({ key, since: null }), key])).values(),
];

/** Locks counters in key order until the transaction ends; those that are not there yet begin at zero. Returns their sums
 *  of all days, by `counterName`. */
export const lockCounters = async (
  manager: EntityManager,
  projectId: string,
  keys: readonly CounterKey[],
): Promise<Map<string, CountedAmounts>> => {
  if (keys.length === 0) return new Map();
  const rows = await manager.query<CounterRow[]>(
    `INSERT INTO limit_counters AS t (project_id, object, counted_by, subject, day)
     SELECT $1, k.* , '${allDays}' FROM unnest($2::text[], $3::text[], $4::text[]) AS k(object, counted_by, subject)
     ORDER BY k.object COLLATE "C", k.counted_by COLLATE "C", k.subject COLLATE "C"
     ON CONFLICT (project_id, object, counted_by, subject, day) DO UPDATE SET redemptions = t.redemptions
     RETURNING object, counted_by, subject, redemptions, order_amount, discount_amount, credits, units`,
    [projectId, ...columnsOf(distinct(keys))],
  );
  return new Map(rows.map((row) => [counterName({ key: row, since: null }), amountsIn(row)]));
};

/** The sums of counters from a day on, by `counterName`; of all days where `since` is null. */
export const readCounters = async (
  manager: EntityManager | DataSource,
  projectId: string,
  wanted: readonly { key: CounterKey; since: CalendarDay | null }[],
): Promise<Map<string, CountedAmounts>> => {
  if (wanted.length === 0) return new Map();
  const rows = await runQuery<CounterRow & { since: CalendarDay | null }>(
    manager as EntityManager,
    `SELECT w.object, w.counted_by, w.subject, w.since::text, sum(c.redemptions) AS redemptions,
       sum(c.order_amount) AS order_amount, sum(c.discount_amount) AS discount_amount, sum(c.credits) AS credits,
       sum(c.units) AS units
     FROM (SELECT DISTINCT * FROM unnest($2::text[], $3::text[], $4::text[], $5::date[]) AS w(object, counted_by, subject, since)) w
     JOIN limit_counters c ON c.project_id = $1 AND c.object = w.object AND c.counted_by = w.counted_by
       AND c.subject = w.subject
       AND CASE WHEN w.since IS NULL THEN c.day = '${allDays}' ELSE c.day >= w.since END
     GROUP BY 1, 2, 3, 4`,
    [projectId, ...columnsOf(wanted.map(({ key }) => key)), wanted.map(({ since }) => since)],
  );
  return new Map(rows.map((row) => [counterName({ key: row, since: row.since }), amountsIn(row)]));
};
