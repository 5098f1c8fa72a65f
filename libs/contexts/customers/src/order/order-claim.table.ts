import type { ClaimState, ObjectClaim, ProvisionalClaim } from '@scrip/claims';
import type { ClaimKey } from '@scrip/contracts/claims';
import { classifyDatabaseError, ofAnyLength, runQuery } from '@scrip/event-store';
import { type RequestContext, Fault } from '@scrip/kernel';
import { batchLoader } from '@scrip/rpc';
import type { DataSource, EntityManager } from 'typeorm';
import type { NewOrderClaim, OrderClaim, OrderClaimKey } from './order-claim';

const claimColumns = `redemption_id, claim_id, project_id, object_id, state, base_version::int AS base_version, kept, context`;

// Arrays, and no JSON: of a record set made of JSON the planner expects a hundred rows, and reads whole tables for them.
const texts = (...parameters: string[]): string => parameters.map((one) => ofAnyLength(one)).join(', ');

const keysFrom = (first: number): string =>
  `unnest(${texts(...[0, 1, 2, 3].map((offset) => `$${first + offset}`))})
    AS k(redemption_id, claim_id, project_id, object_id)`;

const reverting = (first: number): string => `
  replaced AS (
    UPDATE order_claims t SET state = 'REVERTED', kept = NULL, context = NULL
    FROM ${keysFrom(first)}
    WHERE t.project_id = k.project_id AND t.object_id = k.object_id AND t.claim_id = k.claim_id
      AND t.state = 'PROVISIONAL'
    RETURNING 1
  ), tombstones AS (
    INSERT INTO order_claims (redemption_id, claim_id, project_id, object_id, state)
    SELECT k.redemption_id, k.claim_id, k.project_id, k.object_id, 'REVERTED' FROM ${keysFrom(first)}
    WHERE NOT EXISTS (
      SELECT 1 FROM order_claims t
      WHERE t.project_id = k.project_id AND t.object_id = k.object_id AND t.claim_id = k.claim_id)
    RETURNING 1
  )`;

const revertSql = `WITH ${reverting(1)} SELECT (SELECT count(*) FROM replaced) + (SELECT count(*) FROM tombstones)`;

// Conditions on a claim `c` that is to be made. One that builds on a draft needs that draft confirmed: the version alone
// does not say so, as another claim may have made the same one.
const draftIs = (states: string): string => `EXISTS (
      SELECT 1 FROM order_claims a
      WHERE a.project_id = c.project_id AND a.object_id = c.object_id AND a.claim_id = c.after AND a.state IN (${states}))`;

const buildsOnStored = `(c.after IS NULL OR ${draftIs(`'CONFIRMED', 'REFUNDED'`)})`;

const sourceIdIsFree = `NOT EXISTS (
      SELECT 1 FROM orders o WHERE o.project_id = c.project_id AND o.source_id = c.source_id)`;

// `held` makes a claim on a stored order wait for a transaction that is changing that order, and then see the new
// version; it is what keeps a claim off a version that is gone. A confirmation locks the order first and its claim
// second, and both lock orders in the order of their ids, so that the two never wait for each other.
const insertSql = `
  WITH ${reverting(10)}, held AS (
    SELECT o.project_id, o.id FROM orders o
    JOIN unnest(${texts('$3', '$4')}, ${ofAnyLength('$5', 'bigint[]')}) AS b(project_id, object_id, base_version)
      ON o.project_id = b.project_id AND o.id = b.object_id AND o.version = b.base_version
    ORDER BY o.project_id, o.id
    FOR SHARE OF o
  )
  INSERT INTO order_claims
    (redemption_id, claim_id, project_id, object_id, state, base_version, source_id, kept, context)
  SELECT c.redemption_id, c.claim_id, c.project_id, c.object_id, 'PROVISIONAL', c.base_version, c.source_id, c.kept, c.context
  FROM (SELECT count(*) FROM replaced) done,
    unnest(${texts('$1', '$2', '$3', '$4')}, ${ofAnyLength('$5', 'bigint[]')}, ${texts('$6')},
      ${ofAnyLength('$7', 'jsonb[]')}, ${ofAnyLength('$8', 'jsonb[]')}, ${texts('$9')})
      AS c(redemption_id, claim_id, project_id, object_id, base_version, source_id, kept, context, after)
  WHERE CASE WHEN c.base_version IS NULL
    THEN ${sourceIdIsFree}
    ELSE EXISTS (SELECT 1 FROM held h WHERE h.project_id = c.project_id AND h.id = c.object_id) AND ${buildsOnStored} END
  ORDER BY c.object_id
  RETURNING redemption_id, claim_id`;

// Drafts are bounded together, by their stored size: a page of the largest orders would fill the memory.
const provisionalSql = `
  SELECT ${claimColumns} FROM (
    SELECT t.*, sum(pg_column_size(t.kept)) OVER (ORDER BY t.object_id, t.claim_id) - pg_column_size(t.kept) AS before
    FROM order_claims t JOIN ${keysFrom(1)} USING (project_id, object_id, claim_id)
    WHERE t.state = 'PROVISIONAL'
  ) bounded WHERE before < $5`;

const statesSql = `
  SELECT object_id, claim_id, k.redemption_id, coalesce(t.state, 'UNKNOWN') AS state
  FROM ${keysFrom(1)} LEFT JOIN order_claims t USING (project_id, object_id, claim_id)`;

// Machine time: how old claims are.
const rivalsSql = `
  SELECT object_id, claim_id, redemption_id, state,
    (extract(epoch FROM clock_timestamp() - claimed_at) * 1000)::float8 AS age_ms
  FROM order_claims WHERE project_id = $1 AND state = 'PROVISIONAL' AND object_id = $2
  UNION
  SELECT object_id, claim_id, redemption_id, state,
    (extract(epoch FROM clock_timestamp() - claimed_at) * 1000)::float8 AS age_ms
  FROM order_claims WHERE project_id = $1 AND state <> 'REVERTED' AND source_id = $3`;

const contentionSql = `
  SELECT
    coalesce((SELECT json_agg(rivals) FROM (${rivalsSql}) rivals), '[]') AS rivals,
    CASE WHEN c.base_version IS NULL
      THEN ${sourceIdIsFree}
      ELSE EXISTS (
        SELECT 1 FROM orders o
        WHERE o.project_id = c.project_id AND o.id = c.object_id AND o.version = c.base_version) AND ${buildsOnStored}
    END AS fits,
    c.after IS NOT NULL AND NOT ${draftIs(`'PROVISIONAL', 'CONFIRMED', 'REFUNDED'`)} AS outdated
  FROM (SELECT $1::text, $2::text, $3::text, $4::bigint, $5::text)
    AS c(project_id, object_id, source_id, base_version, after)`;

const keyArrays = (claims: readonly OrderClaimKey[]): string[][] => [
  claims.map(({ redemption_id }) => redemption_id),
  claims.map(({ claim_id }) => claim_id),
  claims.map(({ project_id }) => project_id),
  claims.map(({ object_id }) => object_id),
];

/** Of the drafts that are read together, bytes as PostgreSQL stores them. */
const draftBytesPerRead = 1_000_000;

/** A claim that keeps others off an order. */
export type Rival = ProvisionalClaim & Pick<OrderClaim, 'state'>;

/** What stands in a claim's way, as of one moment. `fits`: the order is what the claim builds on, and its source id is free.
 *  `outdated`: it builds on a draft that was dropped, and will never fit. */
export interface OrderContention {
  rivals: Rival[];
  fits: boolean;
  outdated: boolean;
}

/** The statements on `order_claims` that the library of claims does not have, each one round trip and one transaction. */
export class OrderClaimTable {
  constructor(private readonly dataSource: DataSource) {}

  /** Makes a claim, and reverts or tombstones those it replaces, in one statement; concurrent callers share it. False:
   *  the order has another version by now, the draft that the claim builds on is not confirmed, or the source id belongs
   *  to a stored order. Throws a unique violation when the order or source id is held, or the claim exists (of a shared
   *  statement, to those it concerns). */
  readonly insert = batchLoader<NewOrderClaim, boolean>((claims) => this.insertMany(claims), {
    // A deadlock is what some of them got into: the others must not suffer from it.
    isOutage: (error) => error instanceof Fault && classifyDatabaseError(error.cause).kind !== 'transient',
  });

  /** Returns the provisional ones of these claims, with as many drafts as may be in memory together, at least one. */
  provisional(claims: readonly OrderClaimKey[]): Promise<OrderClaim[]> {
    return runQuery(this.dataSource, provisionalSql, [...keyArrays(claims), draftBytesPerRead]);
  }

  /** Returns the state of each claim, UNKNOWN where there is no such claim. */
  states(claims: readonly OrderClaimKey[]): Promise<(ObjectClaim & { state: ClaimState | 'UNKNOWN' })[]> {
    return runQuery(this.dataSource, statesSql, keyArrays(claims));
  }

  /** Returns the claims that keep others off an order, or off the source id of a new one. */
  rivalsOf(
    { project_id, object_id, source_id }: Pick<NewOrderClaim, 'project_id' | 'object_id' | 'source_id'>,
    read: EntityManager = this.dataSource.manager,
  ): Promise<Rival[]> {
    return runQuery<Rival>(read, rivalsSql, [project_id, object_id, source_id]);
  }

  /** Returns what stands in the way of a claim that was not made. */
  async contention({
    project_id,
    object_id,
    source_id,
    base_version,
    after,
  }: NewOrderClaim): Promise<OrderContention> {
    const claim = [project_id, object_id, source_id, base_version, after];
    const [found] = await runQuery<OrderContention>(this.dataSource, contentionSql, claim);
    return found!;
  }

  /** Returns the context of some provisional claim of a project. */
  async contextIn(projectId: string): Promise<RequestContext | undefined> {
    const [row] = await runQuery<{ context: RequestContext }>(
      this.dataSource,
      `SELECT context FROM order_claims
       WHERE project_id = $1 AND state = 'PROVISIONAL' AND context IS NOT NULL LIMIT 1`,
      [projectId],
    );
    return row?.context;
  }

  /** Reverts provisional claims and leaves tombstones for unknown ones; others stay as they are. Throws a unique
   *  violation when an unknown one arrives at the same moment: then it is known, and may be reverted. */
  async revert(claims: readonly OrderClaimKey[]): Promise<void> {
    await runQuery(this.dataSource, revertSql, keyArrays(claims));
  }

  private async insertMany(claims: readonly NewOrderClaim[]): Promise<boolean[]> {
    const replaced = claims.flatMap(({ redemption_id, project_id, object_id, replaces }) =>
      replaces.map((claim_id) => ({ redemption_id, claim_id, project_id, object_id })),
    );
    const inserted = await runQuery<ClaimKey>(this.dataSource, insertSql, [
      ...keyArrays(claims),
      claims.map(({ base_version }) => base_version),
      claims.map(({ source_id }) => source_id),
      claims.map(({ kept }) => JSON.stringify(kept)),
      claims.map(({ context }) => JSON.stringify(context)),
      claims.map(({ after }) => after),
      ...keyArrays(replaced),
    ]);
    const keyOf = ({ redemption_id, claim_id }: ClaimKey): string => `${redemption_id} ${claim_id}`;
    const taken = new Set(inserted.map(keyOf));
    return claims.map((claim) => taken.has(keyOf(claim)));
  }
}
