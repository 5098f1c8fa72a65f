export { BinEntries } from './bin-entries';
export { entryAdded, entryRemoved, removeEntriesBelow } from './bin-entry.rows';
export { binOfContext } from './bin-of-context';
export { CreateBinEntries } from './create-bin-entries.migration';
