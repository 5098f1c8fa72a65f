interface Waiting<Item, Answer> {
  item: Item;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/** Turns single loads into batched ones: calls that arrive in the same turn of the event loop become one call of
 *  `loadBatch`, which answers in the order asked; at most `maxBatch` items each. When a batch of several fails, its
 *  members are loaded one by one, so that one caller's fault is nobody else's. */
export const coalesce = <Item, Answer>(
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
