import { type RowChange, type SideRows, runQuery } from '@scrip/event-store';
import type { DataSource, EntityManager } from 'typeorm';
import type { ClaimMove, ClaimRow, ObjectClaim, ProvisionalClaim } from './claim-state';

/** A claim whose redemption is RECORDED although it does not stand. */
export interface LostClaim extends ObjectClaim {
  state: 'UNKNOWN' | 'REVERTED';
}

/** A provisional claim of some age. `interrupted`: its redemption is taken for dead. */
export interface OverdueClaim extends ObjectClaim {
  project_id: string;
  interrupted: boolean;
}

/** Where a page of overdue claims begins. */
export type OverdueCursor = Pick<OverdueClaim, 'project_id' | 'object_id' | 'claim_id'>;

export const firstOverdue: OverdueCursor = { project_id: '', object_id: '', claim_id: '' };

/** Creates the table of an owner's claims. `columns`: definitions of the owner's own, each ending in a comma. */
export const claimTableSql = (name: string, columns = ''): string => `
  CREATE TABLE ${name} (
    project_id text COLLATE "C" NOT NULL,
    object_id text COLLATE "C" NOT NULL,
    claim_id text COLLATE "C" NOT NULL,
    redemption_id text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL CHECK (state IN ('PROVISIONAL', 'CONFIRMED', 'REFUNDED', 'REVERTED')),
    kept jsonb,
    ${columns}
    rollback_id text COLLATE "C",
    claimed_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT ${name}_pkey PRIMARY KEY (project_id, object_id, claim_id)
  );
  CREATE INDEX ${name}_provisional ON ${name} (project_id, object_id, claim_id) INCLUDE (claimed_at)
    WHERE state = 'PROVISIONAL';
  CREATE INDEX ${name}_reverted ON ${name} (claimed_at) WHERE state = 'REVERTED'`;

/** `confirmedToo`: writing statements that are carried out with each confirmation, over the rows of `confirmed` (object_id,
 *  claim_id, kept) in the project `$1`: what must not be shown of a claim that can still be abandoned. `beside`: an SQL expression of
 *  type jsonb over a claim `c`, which giving back needs; read under the lock of the object. */
export interface ClaimTableOptions {
  confirmedToo?: readonly string[];
  beside?: string;
}

/** The statements on an owner's claims that need nothing else of it. */
export class ClaimTable {
  /** The claims on one object, for commands on its stream. */
  readonly sideRows: SideRows<ClaimRow>;

  constructor(
    readonly dataSource: DataSource,
    readonly name: string,
    private readonly options: ClaimTableOptions = {},
  ) {
    const beside = options.beside === undefined ? '' : `, ${options.beside} AS beside`;
    this.sideRows = {
      table: name,
      key: ['project_id', 'object_id', 'claim_id'],
      idOf: ({ claim_id }) => claim_id,
      load: (read, { projectId, streamId }, ids) =>
        read<ClaimRow>({
          text: `SELECT c.project_id, c.object_id, c.claim_id, c.redemption_id, c.state, c.kept${beside}
            FROM ${name} c WHERE c.project_id = $1 AND c.object_id = $2 AND c.claim_id = ANY($3)`,
          values: [projectId, streamId, ids],
        }),
    };
  }

  /** Returns the stored ones of these claims on one object, by claim id. */
  async find(
    projectId: string,
    objectId: string,
    claimIds: readonly string[],
    read: EntityManager = this.dataSource.manager,
  ): Promise<Map<string, ClaimRow>> {
    const rows = await runQuery<ClaimRow>(
      read,
      `SELECT object_id, claim_id, redemption_id, state, kept FROM ${this.name}
       WHERE project_id = $1 AND object_id = $2 AND claim_id = ANY($3)`,
      [projectId, objectId, claimIds],
    );
    return new Map(rows.map((row) => [row.claim_id, row]));
  }

  /** Moves as side rows of the object's events: a conflict, or a claim in another state, aborts the statement. */
  changes(projectId: string, objectId: string, moves: readonly ClaimMove[]): RowChange[] {
    const object = { project_id: projectId, object_id: objectId };
    return moves.map(({ claim_id, redemption_id, from, to, kept, rollback_id }) =>
      from === null
        ? { insert: this.name, values: { ...object, claim_id, redemption_id, state: to, kept } }
        : {
            update: this.name,
            key: { ...object, claim_id },
            expect: { state: from, redemption_id },
            set: { state: to, rollback_id, kept },
          },
    );
  }

  /** Confirms provisional claims; others stay as they are. It waits for a row that another transaction has locked only
   *  while it holds no other: writes of an object lock its claims in any order. */
  async confirm(projectId: string, claims: readonly ObjectClaim[]): Promise<LostClaim[]> {
    const lost: LostClaim[] = [];
    for (let left = claims; left.length > 0;) {
      const ends = await this.confirmUnlocked(projectId, left);
      lost.push(...ends.filter((end): end is LostClaim => end.state !== 'PROVISIONAL'));
      left = ends.filter(({ state }) => state === 'PROVISIONAL');
      if (left[0]) await this.waitFor(projectId, left[0]);
    }
    return lost;
  }

  /** Confirms the provisional ones whose rows no other transaction has locked. Returns those that are not confirmed
   *  now, PROVISIONAL where they were skipped. */
  private confirmUnlocked(
    projectId: string,
    claims: readonly ObjectClaim[],
  ): Promise<(LostClaim | (ObjectClaim & { state: 'PROVISIONAL' }))[]> {
    const too = (this.options.confirmedToo ?? []).map((sql, index) => `, too${index} AS (${sql})`);
    return runQuery(
      this.dataSource,
      `WITH named AS (
         SELECT * FROM unnest($2::text[], $3::text[], $4::text[]) AS n(object_id, claim_id, redemption_id)
       ), stored AS (
         SELECT c.object_id, c.claim_id, c.state FROM ${this.name} c JOIN named USING (object_id, claim_id)
         WHERE c.project_id = $1
       ), open AS (
         SELECT c.object_id, c.claim_id FROM ${this.name} c JOIN named USING (object_id, claim_id)
         WHERE c.project_id = $1 AND c.state = 'PROVISIONAL'
         FOR UPDATE OF c SKIP LOCKED
       ), confirmed AS (
         UPDATE ${this.name} c SET state = 'CONFIRMED' FROM open o
         WHERE c.project_id = $1 AND c.object_id = o.object_id AND c.claim_id = o.claim_id
         RETURNING c.object_id, c.claim_id, c.kept
       )${too.join('')}
       SELECT n.object_id, n.claim_id, n.redemption_id, coalesce(s.state, 'UNKNOWN') AS state
       FROM named n LEFT JOIN stored s USING (object_id, claim_id) LEFT JOIN confirmed c USING (object_id, claim_id)
       WHERE coalesce(s.state, 'REVERTED') IN ('REVERTED', 'PROVISIONAL') AND c.claim_id IS NULL`,
      [
        projectId,
        claims.map(({ object_id }) => object_id),
        claims.map(({ claim_id }) => claim_id),
        claims.map(({ redemption_id }) => redemption_id),
      ],
    );
  }

  private async waitFor(projectId: string, { object_id, claim_id }: ObjectClaim): Promise<void> {
    await runQuery(
      this.dataSource,
      `SELECT 1 FROM ${this.name} WHERE project_id = $1 AND object_id = $2 AND claim_id = $3 FOR UPDATE`,
      [projectId, object_id, claim_id],
    );
  }

  /** Returns the provisional ones of these claims. */
  provisional(
    projectId: string,
    claims: readonly Pick<ObjectClaim, 'object_id' | 'claim_id'>[],
  ): Promise<ProvisionalClaim[]> {
    return runQuery<ProvisionalClaim>(
      this.dataSource,
      `SELECT c.object_id, c.claim_id, c.redemption_id,
         (extract(epoch FROM clock_timestamp() - c.claimed_at) * 1000)::float8 AS age_ms
       FROM ${this.name} c JOIN unnest($2::text[], $3::text[]) AS n(object_id, claim_id) USING (object_id, claim_id)
       WHERE c.project_id = $1 AND c.state = 'PROVISIONAL'`,
      [projectId, claims.map(({ object_id }) => object_id), claims.map(({ claim_id }) => claim_id)],
    );
  }

  /** Returns provisional claims at least `overdueSeconds` old, in key order, at most `limit`; interrupted from
   *  `interruptedSeconds` on, by the database's clock. */
  overdueAfter(
    after: OverdueCursor,
    at: { overdueSeconds: number; interruptedSeconds: number; limit: number },
  ): Promise<OverdueClaim[]> {
    return runQuery<OverdueClaim>(
      this.dataSource,
      `SELECT project_id, object_id, claim_id, redemption_id,
         claimed_at < now() - make_interval(secs => $1) AS interrupted
       FROM ${this.name}
       WHERE state = 'PROVISIONAL' AND claimed_at < now() - make_interval(secs => $2)
         AND (project_id, object_id, claim_id) > ($3, $4, $5)
       ORDER BY project_id, object_id, claim_id LIMIT $6`,
      [at.interruptedSeconds, at.overdueSeconds, after.project_id, after.object_id, after.claim_id, at.limit],
    );
  }

  /** Age of the oldest provisional claim, seconds; 0 when there is none. */
  async oldestSeconds(): Promise<number> {
    const [row] = await runQuery<{ age: number }>(
      this.dataSource,
      `SELECT coalesce(extract(epoch FROM now() - min(claimed_at)), 0)::float8 AS age
       FROM ${this.name} WHERE state = 'PROVISIONAL'`,
    );
    return row?.age ?? 0;
  }

  /** Deletes a page of claims that were reverted, and made more than 30 days ago: as long as outcomes stand, and longer
   *  than any message can be late. Returns how many; fewer than `limit` = none is left. */
  async forgetReverted(limit: number): Promise<number> {
    const [row] = await runQuery<{ forgotten: string }>(
      this.dataSource,
      `WITH forgotten AS (
         DELETE FROM ${this.name} WHERE state = 'REVERTED' AND (project_id, object_id, claim_id) IN (
           SELECT project_id, object_id, claim_id FROM ${this.name}
           WHERE state = 'REVERTED' AND claimed_at < now() - interval '30 days'
           ORDER BY claimed_at LIMIT $1)
         RETURNING 1)
       SELECT count(*) AS forgotten FROM forgotten`,
      [limit],
    );
    return Number(row?.forgotten ?? 0);
  }
}
