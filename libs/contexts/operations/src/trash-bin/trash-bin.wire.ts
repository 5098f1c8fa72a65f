import type { BinEntry } from '@scrip/contracts/operations';

/** An entry of the bin as callers see it: `object` says what was deleted. Source: reference 07 §13. */
export const renderBinEntry = (entry: BinEntry) => ({ ...entry, object: entry.resource_type });

/** What `renderBinEntry` makes. */
export type BinEntryResponse = ReturnType<typeof renderBinEntry>;
