import { type CheckResult, differencesIn } from './reconcile';

/** Returns the report: a row per check, then examples of differences. */
export const reportOf = (results: readonly CheckResult[]): string[] => {
  const width = Math.max(...results.map(({ name }) => name.length));
  const rows = results.map(
    ({ name, compared, differences }) =>
      `${name.padEnd(width)}  ${String(compared).padStart(9)} compared  ${String(differences).padStart(6)} differ`,
  );
  const examples = results.flatMap((result) =>
    result.examples.map(({ key, problem }) => `  ${result.name}: ${key}: ${problem}`),
  );
  return [...rows, ...examples, `${differencesIn(results)} differences`];
};
