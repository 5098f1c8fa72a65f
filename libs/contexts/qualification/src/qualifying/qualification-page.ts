import type { Cursor } from './cursor';
import { type SortingRule, qualifiedMax } from './qualification-request';

/** One that qualifies, in its place. `at`: its creation, ms since 1970; `ordinal`: which of those created then it is, from 1;
 *  `amount`: what it takes off, minor units. */
export interface Placed {
  readonly at: number;
  readonly ordinal: number;
  readonly id: string;
  readonly amount: number;
}

/** What was found so far, in the order of candidates. `examined`: the last place that was looked at; null: none; `ended`: there are
 *  no more candidates. */
export interface FoundSoFar<Found extends Placed> {
  readonly found: readonly Found[];
  readonly examined: Cursor | null;
  readonly ended: boolean;
}

/** A page, and where the next one begins; null: there is none. */
export interface Paged<Found> {
  readonly page: readonly Found[];
  readonly next: Cursor | null;
}

/** Whether enough is found for a page of `limit`: one more than it shows, and the whole first instant where the page would end
 *  within it. */
export const isEnough = (found: readonly Placed[], limit: number): boolean =>
  found.length > qualifiedMax || (found.length > limit && found[limit]!.at !== found[0]!.at);

const behind = ({ at, ordinal }: Placed, isWithinGroup: boolean): Cursor => ({
  at,
  ordinal: isWithinGroup ? ordinal : 0,
});

/** The page of `limit` in the order of candidates. It ends between two instants, and is shorter for it or, where the first instant
 *  has more, longer; it ends within an instant that has more than 50. Source: reference 02 §8, §11. */
export const pageInOrder = <Found extends Placed>(
  { found, examined, ended }: FoundSoFar<Found>,
  limit: number,
): Paged<Found> => {
  if (found.length <= limit) return { page: found, next: ended ? null : examined };
  const isSameAs = (one: number, other: number): boolean => found[one]?.at === found[other]?.at;
  let size = limit;
  while (size > 0 && isSameAs(size - 1, size)) size -= 1;
  if (size === 0) {
    size = limit;
    while (size < qualifiedMax && isSameAs(size - 1, size)) size += 1;
  }
  const page = found.slice(0, size);
  if (size === found.length) return { page, next: ended ? null : examined };
  return { page, next: behind(page.at(-1)!, isSameAs(size - 1, size)) };
};

/** The page of `limit` behind `after`, by what they take off; of equal ones the newer first. A cursor names one of them, or all that
 *  were created at an instant: then the last of them. Source: reference 02 §8. */
export const pageByDeal = <Found extends Placed>(
  found: readonly Found[],
  {
    limit,
    after,
    sorting,
  }: { limit: number; after: Cursor | null; sorting: Exclude<SortingRule, 'DEFAULT'> },
): Paged<Found> => {
  const sign = sorting === 'BEST_DEAL' ? -1 : 1;
  const places = new Map(found.map((one, place) => [one, place]));
  const ranked = [...found].sort(
    (one, other) => sign * (one.amount - other.amount) || places.get(one)! - places.get(other)!,
  );
  const isAfter = (one: Found): boolean =>
    after !== null && one.at === after.at && (after.ordinal === 0 || one.ordinal === after.ordinal);
  const start = after ? ranked.findLastIndex(isAfter) + 1 : 0;
  // What the cursor names does not qualify any more.
  if (after && start === 0) return { page: [], next: null };
  const page = ranked.slice(start, start + limit);
  const last = page.at(-1);
  if (!last || start + limit >= ranked.length) return { page, next: null };
  return { page, next: behind(last, found.filter(({ at }) => at === last.at).length > 1) };
};
