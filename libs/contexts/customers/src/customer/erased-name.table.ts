import type { RowChange } from '@scrip/event-store';
import type { ErasedName } from '@scrip/tasks';
import type { ErasedCustomer } from '@scrip/wire/customers';
import type { EntityManager } from 'typeorm';
import { isLive } from './customer.decider';
import type { FoundCustomer } from './customer.reads';

const deletedForm = /_deleted\d+$/;

/** The row that keeps the source id of a customer until tasks are cleared of it, written with its erasure: its event cannot name
 *  it. None for a customer without one. */
export const erasedNameRows = (projectId: string, found: FoundCustomer | null): RowChange[] => {
  const source_id = found?.profile.source_id?.replace(isLive(found.state) ? '' : deletedForm, '');
  if (!found || !source_id) return [];
  const key = { project_id: projectId, customer_id: found.state.id };
  return [{ upsert: 'erased_names', key, set: { source_id, was_live: isLive(found.state) } }];
};

/** Returns the name that tasks may know an erased customer by; null where they are cleared of it. */
export const erasedName = async (
  database: Pick<EntityManager, 'query'>,
  { projectId, customerId }: ErasedCustomer,
): Promise<ErasedName | null> => {
  const [row] = await database.query<{ source_id: string; was_live: boolean }[]>(
    'SELECT source_id, was_live FROM erased_names WHERE project_id = $1 AND customer_id = $2',
    [projectId, customerId],
  );
  return row ? { projectId, sourceId: row.source_id, inputsToo: row.was_live } : null;
};

/** Forgets the names of erased customers. */
export const forgetNames = async (
  database: Pick<EntityManager, 'query'>,
  erased: readonly ErasedCustomer[],
): Promise<void> => {
  await database.query(
    `DELETE FROM erased_names e USING unnest($1::text[], $2::text[]) AS g(project_id, customer_id)
     WHERE e.project_id = g.project_id AND e.customer_id = g.customer_id`,
    [erased.map(({ projectId }) => projectId), erased.map(({ customerId }) => customerId)],
  );
};
