import type { RowChange } from '@scrip/event-store';
import type { EntityManager } from 'typeorm';
import type { ClaimMove, ClaimRow } from './claim.decider';

/** A claim that waits for its outcome; age by the database's clock. */
export interface ProvisionalClaim {
  redemption_id: string;
  claim_id: string;
  redeemable_id: string;
  age_ms: number;
}

/** Stored claims of one voucher, by claim id. */
export const readClaims = async (
  manager: EntityManager,
  projectId: string,
  voucherId: string,
  claimIds: readonly string[],
): Promise<Map<string, ClaimRow>> => {
  const rows = await manager.query<
    (Omit<ClaimRow, 'redeemed_quantity'> & { redeemed_quantity: string | null })[]
  >(
    `SELECT claim_id, redemption_id, state, redeemed_quantity::text FROM claims
     WHERE project_id = $1 AND redeemable_id = $2 AND claim_id = ANY($3)`,
    [projectId, voucherId, claimIds],
  );
  return new Map(
    rows.map((row) => [
      row.claim_id,
      { ...row, redeemed_quantity: row.redeemed_quantity === null ? null : Number(row.redeemed_quantity) },
    ]),
  );
};

/** Moves as side rows of the voucher's events: a conflict, or a claim in another state, aborts the statement. */
export const claimChanges = (
  projectId: string,
  voucherId: string,
  moves: readonly ClaimMove[],
): RowChange[] =>
  moves.map(({ claim_id, redemption_id, from, to, redeemed_quantity, rollback_id }) =>
    from === null
      ? {
          insert: 'claims',
          values: {
            project_id: projectId,
            redeemable_id: voucherId,
            claim_id,
            redemption_id,
            state: to,
            redeemed_quantity,
          },
        }
      : {
          update: 'claims',
          key: { project_id: projectId, redeemable_id: voucherId, claim_id },
          expect: { state: from, redemption_id },
          set: { state: to, rollback_id },
        },
  );

/** Confirms provisional claims, all at once; others stay as they are. Rows are locked in key order, since the same
 *  claims may be settled twice at the same time. */
export const confirmClaims = async (
  manager: EntityManager,
  projectId: string,
  claims: readonly { voucher_id: string; claim_id: string }[],
): Promise<void> => {
  await manager.query(
    `WITH wanted AS (
       SELECT c.redeemable_id, c.claim_id FROM claims c
       JOIN unnest($2::text[], $3::text[]) AS w(redeemable_id, claim_id) USING (redeemable_id, claim_id)
       WHERE c.project_id = $1 AND c.state = 'PROVISIONAL'
       ORDER BY c.redeemable_id, c.claim_id FOR UPDATE OF c
     )
     UPDATE claims c SET state = 'CONFIRMED' FROM wanted w
     WHERE c.project_id = $1 AND c.redeemable_id = w.redeemable_id AND c.claim_id = w.claim_id`,
    [projectId, claims.map(({ voucher_id }) => voucher_id), claims.map(({ claim_id }) => claim_id)],
  );
};

/** Forgets a page of claims that were reverted, and taken more than 30 days ago: as long as outcomes stand, and longer
 *  than any message can be late. Answers how many; fewer than `limit` = none is left. */
export const forgetReverted = async (manager: EntityManager, limit: number): Promise<number> => {
  const [row] = await manager.query<{ forgotten: string }[]>(
    `WITH forgotten AS (
       DELETE FROM claims WHERE state = 'REVERTED' AND (project_id, redeemable_id, claim_id) IN (
         SELECT project_id, redeemable_id, claim_id FROM claims
         WHERE state = 'REVERTED' AND claimed_at < now() - interval '30 days'
         ORDER BY claimed_at LIMIT $1)
       RETURNING 1)
     SELECT count(*) AS forgotten FROM forgotten`,
    [limit],
  );
  return Number(row?.forgotten ?? 0);
};
