import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { coalesce } from '@scrip/rpc';
import type { DataSource, EntityManager } from 'typeorm';
import { runQuery } from '../database/run-query';
import type { ClaimKey, NewOrderClaim, OrderClaim } from './order-claim';

const claimColumns = `redemption_id, claim_id, project_id, order_id, state, base_version::int AS base_version, draft, context`;

// Arrays, and no JSON: of a record set made of JSON the planner expects a hundred rows, and reads whole tables for them.
const keysFrom = (first: number): string =>
  `unnest(${[0, 1, 2, 3].map((offset) => `$${first + offset}::text[]`).join(', ')})
    AS k(redemption_id, claim_id, project_id, order_id)`;

const reverting = (first: number): string => `
  replaced AS (
    UPDATE order_claims t SET state = 'REVERTED', draft = NULL, context = NULL
    FROM ${keysFrom(first)}
    WHERE t.redemption_id = k.redemption_id AND t.claim_id = k.claim_id AND t.state = 'PROVISIONAL'
    RETURNING 1
  ), tombstones AS (
    INSERT INTO order_claims (redemption_id, claim_id, project_id, order_id, state)
    SELECT k.redemption_id, k.claim_id, k.project_id, k.order_id, 'REVERTED' FROM ${keysFrom(first)}
    WHERE NOT EXISTS (
      SELECT 1 FROM order_claims t WHERE t.redemption_id = k.redemption_id AND t.claim_id = k.claim_id)
    RETURNING 1
  )`;

const revertSql = `WITH ${reverting(1)} SELECT (SELECT count(*) FROM replaced) + (SELECT count(*) FROM tombstones)`;

// `held` makes a claim on a stored order wait for whoever is changing that order, and then sees the new version; it is
// what keeps a claim off a version that is gone. A confirmation locks the order first and its claim second, so that
// the two never wait for each other.
const insertSql = `
  WITH ${reverting(9)}, held AS (
    SELECT o.project_id, o.id FROM orders o
    JOIN unnest($3::text[], $4::text[], $5::bigint[]) AS b(project_id, order_id, base_version)
      ON o.project_id = b.project_id AND o.id = b.order_id AND o.version = b.base_version
    FOR SHARE OF o
  )
  INSERT INTO order_claims
    (redemption_id, claim_id, project_id, order_id, state, base_version, source_id, draft, context)
  SELECT c.redemption_id, c.claim_id, c.project_id, c.order_id, 'PROVISIONAL', c.base_version, c.source_id, c.draft, c.context
  FROM (SELECT count(*) FROM replaced) done,
    unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::jsonb[], $8::jsonb[])
      AS c(redemption_id, claim_id, project_id, order_id, base_version, source_id, draft, context)
  WHERE CASE WHEN c.base_version IS NULL
    THEN NOT EXISTS (SELECT 1 FROM orders o WHERE o.project_id = c.project_id AND o.source_id = c.source_id)
    ELSE EXISTS (SELECT 1 FROM held h WHERE h.project_id = c.project_id AND h.id = c.order_id) END
  ORDER BY c.order_id
  RETURNING redemption_id, claim_id`;

const findSql = `
  SELECT ${claimColumns} FROM order_claims
  JOIN unnest($1::text[], $2::text[]) AS k(redemption_id, claim_id) USING (redemption_id, claim_id)`;

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

/** A claim by its key, with the order that it is on. */
type ClaimOfOrder = ClaimKey & { project_id: string; order_id: string };

const keyArrays = (claims: readonly ClaimOfOrder[]): string[][] => [
  claims.map(({ redemption_id }) => redemption_id),
  claims.map(({ claim_id }) => claim_id),
  claims.map(({ project_id }) => project_id),
  claims.map(({ order_id }) => order_id),
];

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
    return runQuery(read, findSql, [
      keys.map(({ redemption_id }) => redemption_id),
      keys.map(({ claim_id }) => claim_id),
    ]);
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
  async revert(claims: readonly ClaimOfOrder[]): Promise<void> {
    await runQuery(this.dataSource, revertSql, keyArrays(claims));
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
      ...keyArrays(claims),
      claims.map(({ base_version }) => base_version),
      claims.map(({ source_id }) => source_id),
      claims.map(({ draft }) => JSON.stringify(draft)),
      claims.map(({ context }) => JSON.stringify(context)),
      ...keyArrays(replaced),
    ]);
    const keyOf = ({ redemption_id, claim_id }: ClaimKey): string => `${redemption_id} ${claim_id}`;
    const taken = new Set(inserted.map(keyOf));
    return claims.map((claim) => taken.has(keyOf(claim)));
  }
}
