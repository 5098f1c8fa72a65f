import { distance } from 'fastest-levenshtein';

/** Longer names are no slips of a finger, and take long to compare. */
const longestName = 64;

/** A third of a name may be wrong: two letters of a short one, one of a name of three letters or less. */
const mistakesMax = (name: string): number => Math.max(name.length > 3 ? 2 : 1, Math.floor(name.length / 3));

/** The name of `known` that was probably meant; null where none is near. */
export const nearestName = (name: string, known: readonly string[]): string | null => {
  if (name.length > longestName) return null;
  const [nearest] = known
    .map((one) => ({ one, wrong: distance(name.toLowerCase(), one.toLowerCase()) }))
    .sort((left, right) => left.wrong - right.wrong);
  return nearest && nearest.wrong <= mistakesMax(name) && nearest.wrong < nearest.one.length
    ? nearest.one
    : null;
};

/** Asks for the name of `known` that was probably meant, without quotes: `Did you mean amount?`. `written` is how the caller
 *  has to write a name; as it is unless given. Null where none is near. */
export const didYouMean = (
  name: string,
  known: readonly string[],
  written: (name: string) => string = (one) => one,
): string | null => {
  const nearest = nearestName(name, known);
  return nearest === null ? null : `Did you mean ${written(nearest)}?`;
};
