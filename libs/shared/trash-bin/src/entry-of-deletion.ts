import type { BinEntry } from '@scrip/contracts/operations';
import type { RowChange } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import { entryAdded } from './bin-entry.table';
import type { Deletion } from './deletion.query';

/** What an entry says of the record that was deleted. */
export type DeletedRecord = Pick<BinEntry, 'created_at' | (`resource_${string}` & keyof BinEntry)>;

/** The entry of what a call deletes, written with its event; none where it is deleted for good. Source: reference 07
 *  §13. */
export const entryOfDeletion = (
  { project, user }: RequestContext,
  { bin_entry_id: id }: Deletion,
  record: DeletedRecord,
): RowChange[] =>
  id === null ? [] : [entryAdded(project.id, { id, deleted_by_user_id: user?.id ?? null, ...record })];
