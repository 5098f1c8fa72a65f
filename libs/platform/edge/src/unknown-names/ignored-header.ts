import type { UnknownName } from './unknown-names';

/** Names what of a request was ignored: `order.ammount` of a body, `?limt` of a query. */
export const ignoredHeader = 'X-Scrip-Ignored';

const namesMax = 20;
const bytesMax = 1_024;
const longestName = 100;

/** Letters, digits and what paths are made of; everything else is percent-encoded. */
const printed = (text: string): string =>
  [...text.slice(0, longestName)]
    .map((char) =>
      /[\w.$[\]-]/.test(char) ? char : encodeURIComponent(/\p{Surrogate}/u.test(char) ? '\uFFFD' : char),
    )
    .join('');

/** `.items[0]` and `.items[1]` are one place. Only the dot of an object at the root is left out: a list begins `[]`. */
const placeOf = ({ at, name }: UnknownName): string =>
  printed(`${at.replaceAll(/\[\d+\]/g, '[]')}.${name}`.replace(/^\./, ''));

/** The header's value: at most 20 names in at most 1,024 bytes, then `...`. Null where nothing was ignored. */
export const ignoredNames = (body: readonly UnknownName[], query: readonly UnknownName[]): string | null => {
  const names = new Set([...body.map(placeOf), ...query.map((one) => `?${placeOf(one)}`)]);
  const told: string[] = [];
  let bytes = 0;
  for (const name of names) {
    bytes += name.length + 2;
    if (told.length === namesMax || bytes > bytesMax - 3) return [...told, '...'].join(', ');
    told.push(name);
  }
  return told.length > 0 ? told.join(', ') : null;
};
