import type { Outcome } from '@scrip/contracts/claims';
import type { RowChange } from '@scrip/event-store';
import type { EntityManager } from 'typeorm';

// Outcomes are always inserted in this order, so that two statements with the same ids do not deadlock.
const inIdOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Writes verdicts in id order, where none stands yet. Returns the ids that were written; an id that is missing had
 *  a verdict already. Waits for transactions that are still writing the same ids. Source: architecture §8 step 3. */
export const insertOutcomes = async (
  manager: EntityManager,
  outcomes: readonly Outcome[],
): Promise<Set<string>> => {
  if (outcomes.length === 0) return new Set();
  const sorted = [...outcomes].sort((a, b) => inIdOrder(a.redemption_id, b.redemption_id));
  const rows = await manager.query<{ redemption_id: string }[]>(
    `INSERT INTO redemption_outcomes (redemption_id, verdict, claims)
     SELECT * FROM unnest($1::text[], $2::text[], $3::jsonb[])
     ON CONFLICT DO NOTHING RETURNING redemption_id`,
    [
      sorted.map(({ redemption_id }) => redemption_id),
      sorted.map(({ verdict }) => verdict),
      sorted.map(({ claims }) => JSON.stringify(claims)),
    ],
  );
  return new Set(rows.map(({ redemption_id }) => redemption_id));
};

/** Turns own verdicts that are not committed yet into ABANDONED: members that their limits, or their idempotency key,
 *  refused after all. */
export const abandonUncommitted = async (
  manager: EntityManager,
  redemptionIds: readonly string[],
): Promise<void> => {
  if (redemptionIds.length === 0) return;
  await manager.query(
    `UPDATE redemption_outcomes SET verdict = 'ABANDONED', claims = '[]' WHERE redemption_id = ANY($1::text[])`,
    [redemptionIds],
  );
};

/** The verdicts that stand. */
export const readOutcomes = (manager: EntityManager, redemptionIds: readonly string[]): Promise<Outcome[]> =>
  manager.query<Outcome[]>(
    `SELECT redemption_id, verdict, claims FROM redemption_outcomes WHERE redemption_id = ANY($1::text[])`,
    [redemptionIds],
  );

/** The binding verdict on each redemption: ABANDONED is inserted where nothing stands, whatever its age, and what
 *  stands is read in a second statement. Each commits by itself; never call this inside a transaction.
 *  Source: architecture §8 step 4. */
export const resolveOutcomes = async (
  manager: EntityManager,
  redemptionIds: readonly string[],
): Promise<Outcome[]> => {
  const ids = [...new Set(redemptionIds)];
  await insertOutcomes(
    manager,
    ids.map((redemption_id) => ({ redemption_id, verdict: 'ABANDONED' as const, claims: [] })),
  );
  return readOutcomes(manager, ids);
};

const forgottenAtOnce = 5_000;

/** Forgets ABANDONED verdicts of more than 30 days; RECORDED ones live as long as their redemption.
 *  Machine time: how long verdicts are kept. */
export const forgetOldOutcomes = async (manager: EntityManager): Promise<void> => {
  for (;;) {
    const [, count] = await manager.query<[unknown[], number]>(
      `DELETE FROM redemption_outcomes WHERE redemption_id IN (
         SELECT redemption_id FROM redemption_outcomes
         WHERE verdict = 'ABANDONED' AND decided_at < now() - interval '30 days' LIMIT $1)`,
      [forgottenAtOnce],
    );
    if (count < forgottenAtOnce) return;
  }
};

/** A verdict as a side row of the statement that records its redemption: aborts it where a verdict stands already. */
export const verdictRow = ({ redemption_id, verdict, claims }: Outcome): RowChange => ({
  insert: 'redemption_outcomes',
  values: { redemption_id, verdict, claims },
});
