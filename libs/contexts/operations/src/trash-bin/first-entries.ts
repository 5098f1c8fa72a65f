import type { BinEntry } from '@scrip/contracts/operations';

/** The entries that come first of what several owners have, by id, at most `limit`. `lists`: of each owner as many, or all. */
export const firstEntries = (
  lists: readonly (readonly BinEntry[])[],
  { order, limit }: { order: 'id' | '-id'; limit: number },
): BinEntry[] => {
  const direction = order === '-id' ? -1 : 1;
  return lists
    .flat()
    .sort((a, b) => (a.id < b.id ? -direction : direction))
    .slice(0, limit);
};
