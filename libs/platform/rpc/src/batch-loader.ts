import { Fault } from '@scrip/kernel';

interface Waiting<Item, Answer> {
  item: Item;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/** What goes together, and what fails together. */
export interface BatchOptions<Item> {
  maxBatch?: number;
  /** Items of different groups never share a call. Without it all may. */
  groupOf?: (item: Item) => string;
  /** Whether an error says that what answers is away, whatever is asked for. A `Fault` does, unless stated otherwise. */
  isOutage?: (error: unknown) => boolean;
}

/** Returns a function that loads single items in batches. Calls of the same turn of the event loop become one call of
 *  `loadBatch` per group, with at most `maxBatch` items, which returns results in the order of the items. When a batch
 *  fails, its items are loaded one by one, so that an error reaches only the caller that caused it. An outage is returned
 *  to all: the same call for each of them would add to the load of what is away, and take as long. */
export const batchLoader = <Item, Answer>(
  loadBatch: (items: readonly Item[]) => Promise<readonly Answer[]>,
  {
    maxBatch = 256,
    groupOf = () => '',
    isOutage = (error) => error instanceof Fault,
  }: BatchOptions<Item> = {},
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
      if (batch.length === 1 || isOutage(error)) for (const { reject } of batch) reject(error);
      else await Promise.all(batch.map((member) => load([member])));
    }
  };

  const flush = (): void => {
    const groups = new Map<string, Waiting<Item, Answer>[]>();
    for (const member of waiting) {
      const key = groupOf(member.item);
      const group = groups.get(key);
      if (group) group.push(member);
      else groups.set(key, [member]);
    }
    waiting = [];
    for (const group of groups.values()) {
      for (let from = 0; from < group.length; from += maxBatch) void load(group.slice(from, from + maxBatch));
    }
  };

  return (item) =>
    new Promise<Answer>((resolve, reject) => {
      if (waiting.push({ item, resolve, reject }) === 1) setImmediate(flush);
    });
};
