import { type ErasedCustomer, erasedIn } from '@scrip/contracts/customers';
import { runQuery, untilWritersEnd } from '@scrip/event-store';
import type { DataSource, EntityManager } from 'typeorm';

const rowsTogether = 100;
const waitMs = 30_000;

const columnsOf = (customers: readonly ErasedCustomer[]): [string[], string[]] => [
  customers.map(({ projectId }) => projectId),
  customers.map(({ customerId }) => customerId),
];

/** Marks customers as erased for the answers that a context keeps for repetitions, and waits for answers that are being stored
 *  without seeing the marks: `eraseFromAnswers` finds these, and later ones are stored without the persons. Throws `Fault`
 *  `deadline` where one is not stored within 30 s. Machine time. Source: ADR 108. */
export const markErasedInAnswers = async (
  dataSource: DataSource,
  erased: readonly ErasedCustomer[],
): Promise<void> => {
  await runQuery(
    dataSource,
    `INSERT INTO idempotency_erased (project_id, customer_id)
     SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING`,
    columnsOf(erased),
  );
  await untilWritersEnd(dataSource, ['idempotency_keys'], Date.now() + waitMs);
};

/** Returns those of the customers that are marked as erased. */
export const markedCustomers = async (
  manager: Pick<EntityManager, 'query'>,
  customers: readonly ErasedCustomer[],
): Promise<ErasedCustomer[]> =>
  manager.query<ErasedCustomer[]>(
    `SELECT DISTINCT e.project_id AS "projectId", e.customer_id AS "customerId" FROM idempotency_erased e
     JOIN unnest($1::text[], $2::text[]) AS n(project_id, customer_id) USING (project_id, customer_id)`,
    columnsOf(customers),
  );

/** Takes erased customers out of the answers that a context keeps for repeated calls. Source: reference 06 §9.3. */
export const eraseFromAnswers = async (
  manager: Pick<EntityManager, 'query'>,
  erased: readonly ErasedCustomer[],
): Promise<void> => {
  for (const { projectId, customerId } of erased) {
    // Materialized: walking the project's keys in their order would be the other way to find some.
    const named = await manager.query<{ key: string }[]>(
      `WITH named AS MATERIALIZED (SELECT project_id, key FROM idempotency_keys WHERE customers @> ARRAY[$2])
       SELECT key FROM named WHERE project_id = $1 ORDER BY key`,
      [projectId, customerId],
    );
    for (let at = 0; at < named.length; at += rowsTogether)
      await rewrite(manager, { projectId, customerId }, named.slice(at, at + rowsTogether));
  }
};

const rewrite = async (
  manager: Pick<EntityManager, 'query'>,
  { projectId, customerId }: ErasedCustomer,
  named: readonly { key: string }[],
): Promise<void> => {
  const rows = await manager.query<{ key: string; body: string }[]>(
    `SELECT key, body FROM idempotency_keys
     WHERE project_id = $1 AND key = ANY($2) AND body IS NOT NULL ORDER BY key FOR NO KEY UPDATE`,
    [projectId, named.map(({ key }) => key)],
  );
  await manager.query(
    `UPDATE idempotency_keys k SET body = r.body FROM unnest($2::text[], $3::text[]) AS r(key, body)
     WHERE k.project_id = $1 AND k.key = r.key`,
    [
      projectId,
      rows.map(({ key }) => key),
      rows.map(({ body }) => JSON.stringify(erasedIn(JSON.parse(body), customerId))),
    ],
  );
};
