export { BinEntryReads } from './bin-entry.reads';
export { entryAdded, entryRemoved, removeEntriesBelow } from './bin-entry.table';
export { binOfContext } from './bin-of-context';
export { CreateBinEntries } from './migrations/create-bin-entries.migration';
