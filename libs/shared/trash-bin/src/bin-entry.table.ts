import type { BinEntry } from '@scrip/contracts/operations';
import { type RowChange, runQuery } from '@scrip/event-store';
import type { EntityManager } from 'typeorm';

/** The row of an entry, written with the event of the deletion. */
export const entryAdded = (projectId: string, entry: BinEntry): RowChange => ({
  insert: 'bin_entries',
  values: { project_id: projectId, ...entry },
});

/** Removes an entry with the event of its purge; `StaleRow` where it is gone. */
export const entryRemoved = (projectId: string, id: string): RowChange => ({
  delete: 'bin_entries',
  key: { project_id: projectId, id },
});

/** Removes the entries of what lay below a record that is deleted for good, in its transaction. */
export const removeEntriesBelow = async (
  manager: EntityManager,
  projectId: string,
  parentId: string,
): Promise<void> => {
  await runQuery(manager, 'DELETE FROM bin_entries WHERE project_id = $1 AND resource_parent_id = $2', [
    projectId,
    parentId,
  ]);
};
