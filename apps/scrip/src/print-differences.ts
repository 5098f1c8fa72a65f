import type { RunningApp } from '@scrip/service';

const printEvery = 50_000;

/** Folds every stream of every context again and prints what differs from the stored state. Gives the number of
 *  differences. */
export const printDifferences = async (
  { eventStores }: Pick<RunningApp, 'eventStores'>,
  print: (line: string) => void,
): Promise<number> => {
  let count = 0;
  for (const [context, store] of eventStores) {
    const differences = await store.verifyState(({ aggregate, streams }) => {
      if (streams % printEvery === 0) print(`${context}: ${streams} streams of ${aggregate} compared`);
    });
    count += differences.length;
    print(
      `${context}: ${differences.length === 0 ? 'state and events agree' : `${differences.length} differences`}`,
    );
    for (const difference of differences) print(`  ${JSON.stringify(difference)}`);
  }
  return count;
};
