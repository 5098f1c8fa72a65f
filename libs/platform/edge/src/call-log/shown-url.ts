import type { RouteRow } from '@scrip/contracts/registry';
import { isOurId } from '../request/our-id';
import { pathOf, targetOf } from '../routes/path-of';

const mask = '***';
const further = '...';
/** No route has more. */
const segmentsMax = 12;

type Shown = (value: string) => boolean;

const matches =
  (form: RegExp): Shown =>
  (value) =>
    form.test(value);

const count = matches(/^\d{1,4}$/);
const flag = matches(/^(?:true|false)$/);
const field = matches(/^-?[a-z]{1,20}(?:_[a-z]{1,20}){0,3}$/);
const date = matches(/^\d{4}-\d\d-\d\d(?:T\d\d(?:(?::|%3A)\d\d){0,2}(?:\.\d{1,3})?Z?)?$/i);

/** Parameters that say how a list is read, and what each may look like: none is a secret or tells of a person. */
const parameters: ReadonlyMap<string, Shown> = new Map([
  ['limit', count],
  ['page', count],
  ['order', field],
  ['force', flag],
  ['starting_after_id', isOurId],
  ['campaign_id', isOurId],
  ['segment_id', isOurId],
  ['product_id', isOurId],
  ['starting_after', date],
  ['start_date', date],
  ['end_date', date],
  ['created_at[before]', date],
  ['created_at[after]', date],
  ['updated_at[before]', date],
  ['updated_at[after]', date],
]);

const nameOf = (raw: string): string => raw.replace(/%5b/gi, '[').replace(/%5d/gi, ']');

/** The parameters of the list, each once; `...` stands for all others. */
const shownQuery = (query: string): string => {
  const told = new Map<string, string>();
  let hasFurther = false;
  for (const parameter of query.split('&')) {
    if (parameter === '') continue;
    const [raw = '', value = ''] = parameter.split('=', 2);
    const name = nameOf(raw);
    const isShown = parameters.get(name);
    if (!isShown || told.has(name)) hasFurther = true;
    else told.set(name, isShown(value) ? value : mask);
  }
  const parts = [...told].map(([name, value]) => `${name}=${value}`);
  if (hasFurther) parts.push(further);
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
};

/** The words of routes, which are shown wherever they stand in a path. */
export const wordsOf = (routes: readonly Pick<RouteRow, 'path'>[]): ReadonlySet<string> =>
  new Set(routes.flatMap(({ path }) => path.split('/')).filter((segment) => !segment.startsWith('{')));

const shownPath = (path: string, words: ReadonlySet<string>): string => {
  const segments = path.split('/').slice(1);
  const shown = segments
    .slice(0, segmentsMax)
    .map((segment) => (words.has(segment) || isOurId(segment) ? segment : mask));
  return `/${[...shown, ...(segments.length > segmentsMax ? [further] : [])].join('/')}`;
};

/** Path and query of a call as its log may keep them, at most 2,048 characters: words of routes, ids that we made, and how a list is
 *  read. Everything else that a caller wrote is `***`: it may be a code, a session key, a token, or an e-mail address that a
 *  permanent deletion would not find here. Source: reference 07 §12. */
export const shownUrl = (url: string, words: ReadonlySet<string>): string => {
  const target = targetOf(url);
  const path = pathOf(target);
  return shownPath(path, words) + shownQuery(target.slice(path.length + 1));
};
