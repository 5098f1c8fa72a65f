import { type RowChange, runQuery } from '@scrip/event-store';
import type { DataSource, EntityManager } from 'typeorm';
import type { TaskName } from './batch.table';

/** A customer that is being deleted permanently. */
export interface ErasedCustomerName {
  projectId: string;
  customerId: string;
  /** The key of its source id; null where it has none. */
  sourceKey: string | null;
  /** When it stopped being found by its source id, by the clock of the database, as batches begin by it; null: now. */
  until: string | null;
}

/** The rows that inputs and results of tasks are found by once a customer is deleted permanently, for the statement of the
 *  deletion. Source: ADR 107. */
export const erasedNameRows = ({
  projectId,
  customerId,
  sourceKey,
  until,
}: ErasedCustomerName): RowChange[] =>
  [customerId, ...(sourceKey === null ? [] : [sourceKey])].map((name) => ({
    insert: 'erased_names',
    values: {
      project_id: projectId,
      customer_id: customerId,
      name,
      ...(until === null ? {} : { named_until: until }),
    },
  }));

/** A name of an erased customer, and the latest instant at which an input meant that customer by it. */
export interface ErasedName {
  name: string;
  until: Date;
}

/** Returns the names of erased customers. */
export const namesOfErased = async (
  on: DataSource,
  projectId: string,
  customerIds: readonly string[],
): Promise<ErasedName[]> =>
  runQuery<ErasedName>(
    on,
    'SELECT name, named_until AS until FROM erased_names WHERE project_id = $1 AND customer_id = ANY($2)',
    [projectId, customerIds],
  );

/** Returns those of the names that meant a customer who is erased by now when the inputs of a task were taken in. */
export const erasedAmong = async (
  on: DataSource | EntityManager,
  { projectId, taskId }: TaskName,
  names: readonly string[],
): Promise<Set<string>> => {
  if (names.length === 0) return new Set();
  const rows = await runQuery<{ name: string }>(
    on,
    `SELECT DISTINCT e.name FROM erased_names e
     JOIN task_batches b ON b.project_id = e.project_id AND b.task_id = $2
     WHERE e.project_id = $1 AND e.name = ANY($3) AND e.named_until >= b.created_at`,
    [projectId, taskId, names],
  );
  return new Set(rows.map(({ name }) => name));
};

/** Notes that no stored input or result has the names of erased customers any more. */
export const noteCleared = async (
  manager: Pick<EntityManager, 'query'>,
  erased: readonly { projectId: string; customerId: string }[],
): Promise<void> => {
  await manager.query(
    `UPDATE erased_names e SET is_cleared = true FROM unnest($1::text[], $2::text[]) AS g(project_id, customer_id)
     WHERE e.project_id = g.project_id AND e.customer_id = g.customer_id`,
    [erased.map(({ projectId }) => projectId), erased.map(({ customerId }) => customerId)],
  );
};

const rowsAtOnce = 500;

// Machine time. Within the day a call that began a batch before the deletion is seen in `task_batches`, and a deletion is
// repeated under its Idempotency-Key.
const pruneSql = `
  WITH gone AS (
    DELETE FROM erased_names WHERE ctid = ANY (ARRAY(
      SELECT e.ctid FROM erased_names e
      WHERE e.is_cleared AND e.erased_at < now() - interval '1 day' AND NOT EXISTS (
        SELECT 1 FROM task_batches b LEFT JOIN tasks t ON t.project_id = b.project_id AND t.id = b.task_id
        WHERE b.project_id = e.project_id AND b.created_at <= e.named_until
          AND (t.id IS NULL OR t.status NOT IN ('DONE', 'FAILED')))
      LIMIT ${rowsAtOnce})) RETURNING 1)
  SELECT count(*)::int AS count FROM gone`;

/** Deletes names that no task can bring up any more: all that began before the deletion have ended. 500 at a time. */
export const pruneErasedNames = async (dataSource: DataSource): Promise<void> => {
  for (;;) {
    const [{ count = 0 } = {}] = await dataSource.query<{ count: number }[]>(pruneSql);
    if (count < rowsAtOnce) return;
  }
};
