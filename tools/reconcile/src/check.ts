import { type OpenRows, type Row, type SortedRows, type Source, compareKeys } from './sorted-rows';

/** One compared thing and its problem; null without one. */
export interface Finding {
  key: string;
  problem: string | null;
}

/** Compares what is stored about the same things. */
export interface Check {
  /** A sentence that is true where there is no difference. */
  name: string;
  run(openRows: OpenRows): AsyncIterable<Finding>;
}

type Problem = (row: Row, counterpart: Row | undefined) => string | null;

/** The rows of `needs`, asked for in the order of keys. */
const follower = (rows: SortedRows): ((key: string) => Promise<Row | undefined>) => {
  const iterator = rows[Symbol.asyncIterator]();
  let current: IteratorResult<Row> | undefined;
  return async (key) => {
    current ??= await iterator.next();
    while (!current.done && compareKeys(current.value.key, key) < 0) current = await iterator.next();
    return !current.done && current.value.key === key ? current.value : undefined;
  };
};

async function* compare(openRows: OpenRows, each: Source, needs: Source | undefined, problem: Problem) {
  // The counterpart is read after the row that needs it, so that rows written meanwhile are no differences.
  const asking = await openRows(each);
  const opened = [asking];
  try {
    const needed = needs && (await openRows(needs));
    if (needed) opened.push(needed);
    const counterpartOf = needed ? follower(needed) : () => Promise.resolve(undefined);
    let before: string | undefined;
    for await (const row of asking) {
      const found =
        row.key === before ? 'there is more than one' : problem(row, await counterpartOf(row.key));
      before = row.key;
      yield { key: row.key, problem: found };
    }
  } finally {
    await Promise.all(opened.map((rows) => rows.close()));
  }
}

/** A check of each row of one source by itself, or against its counterpart under the same key in `needs`, where it
 *  may be another context's. Memory: a page of each. */
export const checkEach = (
  name: string,
  { each, needs, problem }: { each: Source; needs?: Source; problem: Problem },
): Check => ({ name, run: (openRows) => compare(openRows, each, needs, problem) });

/** As `checkEach`, where it is enough that the counterpart exists. */
export const checkExists = (name: string, each: Source, needs: Source, missing: string): Check =>
  checkEach(name, { each, needs, problem: (_, counterpart) => (counterpart ? null : missing) });
