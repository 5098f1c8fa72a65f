import { runQuery } from '@scrip/event-store';
import type { EntityManager } from 'typeorm';
import type { CandidateRow } from './candidate';

/** A row of `candidate_terms` but for its project. */
export interface TermRow {
  id: string;
  space: string;
  term: string;
  created_at: string;
}

/** The space that names the rules which terms of an object come from. */
export const ruleSpace = 'RULE';

const columns = `project_id, id, kind, campaign_id, campaign_type, voucher_type, code, category_id, eligible, active,
  quantity, redeemed_quantity, starts_at, ends_at, incentive, created_at`;

/** Keeps other writers of the project's candidates out until the transaction ends: what one reads of rules and then writes is never
 *  older than what another wrote before. */
export const lockCandidates = async (manager: EntityManager, projectId: string): Promise<void> => {
  await runQuery(manager, `SELECT pg_advisory_xact_lock(hashtextextended('scrip.candidates ' || $1, 0))`, [
    projectId,
  ]);
};

type StoredRow = Omit<
  CandidateRow,
  'starts_at' | 'ends_at' | 'created_at' | 'quantity' | 'redeemed_quantity'
> &
  Record<'starts_at' | 'ends_at' | 'created_at', string | null> &
  Record<'quantity' | 'redeemed_quantity', string | null>;

const numberOf = (stored: string | null): number | null => (stored === null ? null : Number(stored));

/** Rows by id, and all that belong to these campaigns. Instants are text of the database, in its zone. */
export const candidatesOf = async (
  manager: EntityManager,
  projectId: string,
  { ids, campaigns }: { ids: readonly string[]; campaigns: readonly string[] },
): Promise<CandidateRow[]> => {
  const rows = await runQuery<StoredRow>(
    manager,
    `SELECT project_id, id, kind, campaign_id, campaign_type, voucher_type, code, category_id, eligible, active, quantity,
       redeemed_quantity, starts_at::text, ends_at::text, incentive, created_at::text
     FROM candidates WHERE project_id = $1 AND (id = ANY($2) OR campaign_id = ANY($3))`,
    [projectId, ids, campaigns],
  );
  return rows.map(
    (row) =>
      ({
        ...row,
        quantity: numberOf(row.quantity),
        redeemed_quantity: Number(row.redeemed_quantity),
      }) as CandidateRow,
  );
};

/** Stores rows, new or changed. */
export const storeCandidates = async (
  manager: EntityManager,
  rows: readonly CandidateRow[],
): Promise<void> => {
  if (rows.length === 0) return;
  await runQuery(
    manager,
    `INSERT INTO candidates (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::candidates, $1::jsonb)
     ON CONFLICT (project_id, id) DO UPDATE SET (campaign_id, campaign_type, voucher_type, code, category_id, eligible, active,
       quantity, redeemed_quantity, starts_at, ends_at, incentive) = (excluded.campaign_id, excluded.campaign_type,
       excluded.voucher_type, excluded.code, excluded.category_id, excluded.eligible, excluded.active, excluded.quantity,
       excluded.redeemed_quantity, excluded.starts_at, excluded.ends_at, excluded.incentive)`,
    [JSON.stringify(rows)],
  );
};

/** Removes objects from the index. */
export const deleteCandidates = async (
  manager: EntityManager,
  projectId: string,
  ids: readonly string[],
): Promise<void> => {
  if (ids.length === 0) return;
  await runQuery(
    manager,
    `WITH gone AS (DELETE FROM candidates WHERE project_id = $1 AND id = ANY($2))
     DELETE FROM candidate_terms WHERE project_id = $1 AND id = ANY($2)`,
    [projectId, ids],
  );
};

/** Puts `terms` in the place of all terms of these objects; those that stay are not written. */
export const replaceTerms = async (
  manager: EntityManager,
  projectId: string,
  ids: readonly string[],
  terms: readonly TermRow[],
): Promise<void> => {
  if (ids.length === 0) return;
  await runQuery(
    manager,
    `WITH wanted AS MATERIALIZED (
       SELECT * FROM jsonb_to_recordset($3::jsonb) AS w(id text COLLATE "C", space text COLLATE "C", term text COLLATE "C",
         created_at timestamptz)
     ), gone AS (
       DELETE FROM candidate_terms t WHERE t.project_id = $1 AND t.id = ANY($2) AND NOT EXISTS (
         SELECT FROM wanted w WHERE w.id = t.id AND w.space = t.space AND w.term = t.term AND w.created_at = t.created_at)
     )
     INSERT INTO candidate_terms (project_id, space, term, created_at, id)
     SELECT $1, space, term, created_at, id FROM wanted ORDER BY space, term, created_at, id ON CONFLICT DO NOTHING`,
    [projectId, ids, JSON.stringify(terms)],
  );
};

/** The objects whose terms come from these rules. */
export const objectsTermedBy = async (
  manager: EntityManager,
  projectId: string,
  ruleIds: readonly string[],
): Promise<string[]> => {
  if (ruleIds.length === 0) return [];
  const rows = await runQuery<{ id: string }>(
    manager,
    'SELECT DISTINCT id FROM candidate_terms WHERE project_id = $1 AND space = $2 AND term = ANY($3)',
    [projectId, ruleSpace, ruleIds],
  );
  return rows.map(({ id }) => id);
};
