export { BinEntryReads } from './bin-entry.reads';
export { entryRemoved, removeEntriesBelow } from './bin-entry.table';
export { binOfContext } from './bin-of-context';
export { type Deletion, deletionOf, DeletionQuery } from './deletion.query';
export { type DeletedRecord, entryOfDeletion } from './entry-of-deletion';
export { CreateBinEntries } from './migrations/create-bin-entries.migration';
