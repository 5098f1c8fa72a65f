interface Waiting<Item, Answer> {
  item: Item;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/** Returns a function that loads single items in batches. Calls of the same turn of the event loop become one call of
 *  `loadBatch`, with at most `maxBatch` items, which returns results in the order of the items. When a batch fails,
 *  its items are loaded one by one, so that an error reaches only the caller that caused it. */
export const batchLoader = <Item, Answer>(
  loadBatch: (items: readonly Item[]) => Promise<readonly Answer[]>,
  { maxBatch = 256 }: { maxBatch?: number } = {},
): ((item: Item) => Promise<Answer>) => {
  let waiting: Waiting<Item, Answer>[] = [];

  const load = async (batch: Waiting<Item, Answer>[]): Promise<void> => {
    try {
      const answers = await loadBatch(batch.map(({ item }) => item));
      if (answers.length !== batch.length) {
        throw new Error(`a batch of ${batch.length} was answered with ${answers.length} answers`);
      }
      batch.forEach(({ resolve }, index) => resolve(answers[index] as Answer));
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      else await Promise.all(batch.map((member) => load([member])));
    }
  };

  const flush = (): void => {
    const all = waiting;
    waiting = [];
    for (let from = 0; from < all.length; from += maxBatch) void load(all.slice(from, from + maxBatch));
  };

  return (item) =>
    new Promise<Answer>((resolve, reject) => {
      if (waiting.push({ item, resolve, reject }) === 1) setImmediate(flush);
    });
};
