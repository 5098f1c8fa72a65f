import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { coalesce } from '@scrip/rpc';
import type { DataSource, EntityManager } from 'typeorm';
import { runQuery } from '../database/run-query';
import type { ClaimKey, NewOrderClaim, OrderClaim } from './order-claim';

const claimColumns = `redemption_id, claim_id, project_id, order_id, state, base_version::int AS base_version, draft, context`;

const keyRecords = (parameter: string): string =>
  `jsonb_to_recordset(${parameter}::jsonb) AS k(redemption_id text, claim_id text, project_id text, order_id text)`;

const reverting = (parameter: string): string => `
  replaced AS (
    UPDATE order_claims t SET state = 'REVERTED', draft = NULL, context = NULL
    FROM ${keyRecords(parameter)}
    WHERE t.redemption_id = k.redemption_id AND t.claim_id = k.claim_id AND t.state = 'PROVISIONAL'
    RETURNING 1
  ), tombstones AS (
    INSERT INTO order_claims (redemption_id, claim_id, project_id, order_id, state)
    SELECT k.redemption_id, k.claim_id, k.project_id, k.order_id, 'REVERTED' FROM ${keyRecords(parameter)}
    WHERE NOT EXISTS (
      SELECT 1 FROM order_claims t WHERE t.redemption_id = k.redemption_id AND t.claim_id = k.claim_id)
    RETURNING 1
  )`;

const revertSql = `WITH ${reverting('$1')} SELECT (SELECT count(*) FROM replaced) + (SELECT count(*) FROM tombstones)`;

// `held` makes a claim on a stored order wait for whoever is changing that order, and then sees the new version; it is
// what keeps a claim off a version that is gone. A confirmation locks the order first and its claim second, so that
// the two never wait for each other.
const insertSql = `
  WITH ${reverting('$2')}, held AS (
    SELECT o.project_id, o.id FROM orders o
    JOIN jsonb_to_recordset($1::jsonb) AS b(project_id text, order_id text, base_version bigint)
      ON o.project_id = b.project_id AND o.id = b.order_id AND o.version = b.base_version
    FOR SHARE OF o
  )
  INSERT INTO order_claims
    (redemption_id, claim_id, project_id, order_id, state, base_version, source_id, draft, context)
  SELECT c.redemption_id, c.claim_id, c.project_id, c.order_id, 'PROVISIONAL', c.base_version, c.source_id, c.draft, c.context
  FROM (SELECT count(*) FROM replaced) done, jsonb_to_recordset($1::jsonb) AS c(
    redemption_id text, claim_id text, project_id text, order_id text,
    base_version bigint, source_id text, draft jsonb, context jsonb)
  WHERE CASE WHEN c.base_version IS NULL
    THEN NOT EXISTS (SELECT 1 FROM orders o WHERE o.project_id = c.project_id AND o.source_id = c.source_id)
    ELSE EXISTS (SELECT 1 FROM held h WHERE h.project_id = c.project_id AND h.id = c.order_id) END
  ORDER BY c.order_id
  RETURNING redemption_id, claim_id`;

const findSql = `
  SELECT ${claimColumns} FROM order_claims
  JOIN jsonb_to_recordset($1::jsonb) AS k(redemption_id text, claim_id text) USING (redemption_id, claim_id)`;

const rivalSql = `
  SELECT ${claimColumns} FROM order_claims
  WHERE project_id = $1 AND state = 'PROVISIONAL' AND order_id = $2
  UNION ALL
  SELECT ${claimColumns} FROM order_claims
  WHERE project_id = $1 AND state <> 'REVERTED' AND source_id = $3
  LIMIT 1`;

const openSql = `
  SELECT ${claimColumns}, claimed_at < now() - make_interval(secs => $3) AS overdue,
    claimed_at::text AS claimed_at
  FROM order_claims
  WHERE state = 'PROVISIONAL' AND claimed_at < now() - make_interval(secs => $2)
    AND (claimed_at, claim_id) > ($4::timestamptz, $5)
  ORDER BY claimed_at, claim_id LIMIT $1`;

const forgottenAtOnce = 5_000;

/** Where a page of open claims begins. */
export interface OpenClaimCursor {
  claimed_at: string;
  claim_id: string;
}

/** A claim that nobody settled yet. `overdue`: nobody is expected to, any more. */
export interface OpenClaim extends OrderClaim, OpenClaimCursor {
  overdue: boolean;
}

/** The statements on `order_claims`, each one round trip and one transaction. */
@Injectable()
export class OrderClaimTable {
  constructor(@InjectDataSource('customers') private readonly dataSource: DataSource) {}

  /** Makes a claim, and reverts or tombstones those it replaces, in one statement; concurrent callers share it. False:
   *  the order has another version by now, or its source id belongs to a stored order. Throws a unique violation when
   *  the order or source id is held, or the claim exists (of a shared statement, to those it concerns). */
  readonly insert = coalesce<NewOrderClaim, boolean>((claims) => this.insertMany(claims));

  /** The claims of these keys that exist. */
  find(keys: readonly ClaimKey[], read: EntityManager = this.dataSource.manager): Promise<OrderClaim[]> {
    return runQuery(read, findSql, [JSON.stringify(keys)]);
  }

  /** Whose claim keeps others off an order, or off the source id of a new one. */
  async rivalOf(
    { project_id, order_id, source_id }: Pick<NewOrderClaim, 'project_id' | 'order_id' | 'source_id'>,
    read: EntityManager = this.dataSource.manager,
  ): Promise<OrderClaim | null> {
    const [rival] = await runQuery<OrderClaim>(read, rivalSql, [project_id, order_id, source_id]);
    return rival ?? null;
  }

  /** Reverts provisional claims and leaves tombstones for unknown ones; others stay as they are. Throws a unique
   *  violation when an unknown one arrives at the same moment: then it is known, and may be reverted. */
  async revert(claims: readonly (ClaimKey & { project_id: string; order_id: string })[]): Promise<void> {
    await runQuery(this.dataSource, revertSql, [JSON.stringify(claims)]);
  }

  /** Provisional claims at least `minAgeSeconds` old, oldest first, at most `limit`; overdue from `overdueSeconds`. */
  open(query: {
    limit: number;
    minAgeSeconds: number;
    overdueSeconds: number;
    after: OpenClaimCursor | null;
  }): Promise<OpenClaim[]> {
    const { claimed_at, claim_id } = query.after ?? { claimed_at: '-infinity', claim_id: '' };
    return runQuery(this.dataSource, openSql, [
      query.limit,
      query.minAgeSeconds,
      query.overdueSeconds,
      claimed_at,
      claim_id,
    ]);
  }

  /** Age of the oldest provisional claim, seconds; 0 when there is none. */
  async oldestOpenSeconds(): Promise<number> {
    const [row] = await runQuery<{ seconds: number }>(
      this.dataSource,
      `SELECT coalesce(extract(epoch FROM now() - min(claimed_at)), 0)::float8 AS seconds
       FROM order_claims WHERE state = 'PROVISIONAL'`,
    );
    return row?.seconds ?? 0;
  }

  /** Forgets claims that were reverted more than 30 days ago: as long as outcomes stand, and longer than any message
   *  can be late. */
  async forgetReverted(): Promise<void> {
    for (;;) {
      const forgotten = await runQuery(
        this.dataSource,
        `WITH forgotten AS (
           DELETE FROM order_claims WHERE (redemption_id, claim_id) IN (
             SELECT redemption_id, claim_id FROM order_claims
             WHERE state = 'REVERTED' AND claimed_at < now() - interval '30 days' LIMIT $1)
           RETURNING 1)
         SELECT FROM forgotten`,
        [forgottenAtOnce],
      );
      if (forgotten.length < forgottenAtOnce) return;
    }
  }

  private async insertMany(claims: readonly NewOrderClaim[]): Promise<boolean[]> {
    const replaced = claims.flatMap(({ redemption_id, project_id, order_id, replaces }) =>
      replaces.map((claim_id) => ({ redemption_id, claim_id, project_id, order_id })),
    );
    const inserted = await runQuery<ClaimKey>(this.dataSource, insertSql, [
      JSON.stringify(claims.map(({ replaces: _, ...claim }) => claim)),
      JSON.stringify(replaced),
    ]);
    const keyOf = ({ redemption_id, claim_id }: ClaimKey): string => `${redemption_id} ${claim_id}`;
    const taken = new Set(inserted.map(keyOf));
    return claims.map((claim) => taken.has(keyOf(claim)));
  }
}
