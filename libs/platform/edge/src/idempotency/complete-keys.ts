import type { EntityManager } from 'typeorm';
import type { IdempotencyRow, StoredAnswer } from './idempotency-row';

/** A key row and the answer that ends its command. */
export interface KeyCompletion {
  row: IdempotencyRow;
  answer: StoredAnswer;
}

/** The text of a body in its column; null: none. */
export const storedBody = (body: unknown): string | null =>
  body === null || body === undefined ? null : JSON.stringify(body);

// Rows are locked in key order, so that two calls with the same keys do not deadlock.
const completeSql = `
  WITH input AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::uuid[], $4::int[], $5::int[], $6::text[])
      WITH ORDINALITY AS i(project_id, key, command_id, attempt, status, body, n)),
  locked AS (
    SELECT k.project_id, k.key FROM idempotency_keys k JOIN input i USING (project_id, key)
    ORDER BY k.project_id, k.key FOR NO KEY UPDATE OF k)
  UPDATE idempotency_keys k SET status = i.status, body = i.body, lease_until = now()
  FROM input i, locked l
  WHERE l.project_id = k.project_id AND l.key = k.key AND k.project_id = i.project_id AND k.key = i.key
    AND k.command_id = i.command_id AND k.attempt = i.attempt AND k.status IS NULL
  RETURNING i.n::int`;

/** Stores answers in one statement, each where the attempt is still its row's and no answer is stored. Returns for each
 *  whether it was stored. */
export const storeAnswers = async (
  manager: Pick<EntityManager, 'query'>,
  completions: readonly KeyCompletion[],
): Promise<boolean[]> => {
  if (completions.length === 0) return [];
  const [rows] = await manager.query<[{ n: number }[], number]>(completeSql, [
    completions.map(({ row }) => row.projectId),
    completions.map(({ row }) => row.key),
    completions.map(({ row }) => row.commandId),
    completions.map(({ row }) => row.attempt),
    completions.map(({ answer }) => answer.status),
    completions.map(({ answer }) => storedBody(answer.body)),
  ]);
  const stored = new Set(rows.map(({ n }) => n - 1));
  return completions.map((_, index) => stored.has(index));
};

/** Locks key rows, in key order, until the transaction ends. Returns for each whether its attempt may still be completed,
 *  true where there is none. */
export const lockKeys = async (
  manager: EntityManager,
  keys: readonly (IdempotencyRow | null)[],
): Promise<boolean[]> => {
  const rows = keys.flatMap((row) => row ?? []);
  if (rows.length === 0) return keys.map(() => true);
  const open = await manager.query<{ key: string; command_id: string; attempt: number }[]>(
    `SELECT k.key, k.command_id::text, k.attempt FROM idempotency_keys k
     JOIN unnest($1::text[], $2::text[]) AS i(project_id, key) USING (project_id, key)
     WHERE k.status IS NULL ORDER BY k.project_id, k.key FOR NO KEY UPDATE OF k`,
    [rows.map(({ projectId }) => projectId), rows.map(({ key }) => key)],
  );
  const textOf = (key: string, commandId: string, attempt: number) => `${key} ${commandId} ${attempt}`;
  const texts = new Set(open.map(({ key, command_id, attempt }) => textOf(key, command_id, attempt)));
  return keys.map((row) => row === null || texts.has(textOf(row.key, row.commandId, row.attempt)));
};

/** Stores the answers of several keyed commands in the caller's transaction. Returns for each whether it was stored:
 *  where not, another execution went on, and the caller must write nothing for that command and answer 409.
 *  Source: architecture §8. */
export const completeKeys = async (
  manager: EntityManager,
  completions: readonly KeyCompletion[],
): Promise<boolean[]> => {
  const stored = await storeAnswers(manager, completions);
  completions.forEach(({ row, answer }, index) => row.noteCompletion(stored[index] ? answer : null));
  return stored;
};
