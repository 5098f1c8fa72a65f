import { customersNamedIn, erasedIn } from '@scrip/contracts/customers';
import type { EntityManager } from 'typeorm';
import { markedCustomers } from './answers-erasure';
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
    SELECT * FROM unnest($1::text[], $2::text[], $3::uuid[], $4::int[], $5::int[], $6::text[], $7::text[],
      $8::text[]) WITH ORDINALITY AS i(project_id, key, command_id, attempt, status, body, customers, purged, n)),
  locked AS (
    SELECT k.project_id, k.key FROM idempotency_keys k JOIN input i USING (project_id, key)
    ORDER BY k.project_id, k.key FOR NO KEY UPDATE OF k)
  UPDATE idempotency_keys k SET status = i.status, body = i.body, customers = string_to_array(i.customers, ','), lease_until = now()
  FROM input i, locked l
  WHERE l.project_id = k.project_id AND l.key = k.key AND k.project_id = i.project_id AND k.key = i.key
    AND k.command_id = i.command_id AND k.attempt = i.attempt AND k.status IS NULL
    AND (i.customers IS NULL OR NOT EXISTS (
      SELECT 1 FROM idempotency_erased e
      WHERE e.project_id = i.project_id AND e.customer_id = ANY (string_to_array(i.customers, ','))
        AND e.customer_id <> ALL (string_to_array(i.purged, ','))))
  RETURNING i.n::int`;

interface Written {
  completion: KeyCompletion;
  body: string | null;
  customers: string[];
  /** Customers that the body says nothing about any more. */
  purged: readonly string[];
}

const written = (completion: KeyCompletion, purged: readonly string[] = []): Written => {
  const storable = purged.reduce<unknown>(erasedIn, completion.answer.body);
  const body = storedBody(storable);
  return { completion, body, customers: body === null ? [] : customersNamedIn(body), purged };
};

/** Returns the indexes of those that were stored: the attempt is still its row's, and no customer is shown who is marked. */
const complete = async (
  manager: Pick<EntityManager, 'query'>,
  answers: readonly Written[],
): Promise<Set<number>> => {
  const [rows] = await manager.query<[{ n: number }[], number]>(completeSql, [
    answers.map(({ completion: { row } }) => row.projectId),
    answers.map(({ completion: { row } }) => row.key),
    answers.map(({ completion: { row } }) => row.commandId),
    answers.map(({ completion: { row } }) => row.attempt),
    answers.map(({ completion: { answer } }) => answer.status),
    answers.map(({ body }) => body),
    answers.map(({ customers }) => (customers.length === 0 ? null : customers.join())),
    answers.map(({ purged }) => purged.join()),
  ]);
  return new Set(rows.map(({ n }) => n - 1));
};

/** The answers that show customers who are marked as erased, without these; null for the others. */
const purged = async (
  manager: Pick<EntityManager, 'query'>,
  answers: readonly Written[],
): Promise<(Written | null)[]> => {
  const named = answers.flatMap(({ completion: { row }, customers }) =>
    customers.map((customerId) => ({ projectId: row.projectId, customerId })),
  );
  const marked = named.length === 0 ? [] : await markedCustomers(manager, named);
  return answers.map(({ completion, customers, purged: before }) => {
    const gone = marked.filter(
      ({ projectId, customerId }) => projectId === completion.row.projectId && customers.includes(customerId),
    );
    const all = gone.map(({ customerId }) => customerId);
    return all.every((customerId) => before.includes(customerId)) ? null : written(completion, all);
  });
};

/** Stores answers in one statement, each where the attempt is still its row's and no answer is stored. Those that show an erased
 *  customer take another two, and are stored without the person; again where another one of theirs is marked meanwhile. Returns
 *  for each whether it was stored. */
export const storeAnswers = async (
  manager: Pick<EntityManager, 'query'>,
  completions: readonly KeyCompletion[],
): Promise<boolean[]> => {
  const stored = new Set<number>();
  let left = completions.map((completion, index) => ({ index, answer: written(completion) }));
  while (left.length > 0) {
    const answers = left.map(({ answer }) => answer);
    const done = await complete(manager, answers);
    for (const n of done) stored.add(left[n]!.index);
    const refused = left.filter((_, n) => !done.has(n));
    const without =
      refused.length === 0
        ? []
        : await purged(
            manager,
            refused.map(({ answer }) => answer),
          );
    left = refused.flatMap(({ index }, n) => {
      const answer = without[n];
      return answer ? [{ index, answer }] : [];
    });
  }
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
