type Query = { [name: string]: string | Query };

/** Names nest at most this deep; deeper ones are dropped. */
const deepest = 8;
const parametersMax = 1_000;

const nested = (): Query => Object.create(null) as Query;

/** `[filters][code]` and `filters[code]` are the same name. Source: reference 07 §1.4. */
const stepsOf = (name: string): string[] => {
  const steps = name.split('[').map((step) => (step.endsWith(']') ? step.slice(0, -1) : step));
  return name.startsWith('[') ? steps.slice(1) : steps;
};

const put = (query: Query, name: string, value: string): void => {
  const steps = stepsOf(name);
  const last = steps.pop() ?? '';
  if (steps.length >= deepest) return;
  let at = query;
  for (const step of steps) {
    const next = (at[step] ??= nested());
    if (typeof next === 'string') return;
    at = next;
  }
  const key = last === '' ? String(Object.keys(at).length) : last;
  at[key] ??= value;
};

const isIndex = (key: string): boolean => /^\d{1,3}$/.test(key);

const withLists = (query: Query): unknown => {
  const entries = Object.entries(query).map(
    ([key, value]) => [key, typeof value === 'string' ? value : withLists(value)] as const,
  );
  if (entries.length > 0 && entries.every(([key]) => isIndex(key))) {
    return entries.sort(([left], [right]) => Number(left) - Number(right)).map(([, value]) => value);
  }
  const plain = nested() as Record<string, unknown>;
  for (const [key, value] of entries) plain[key] = value;
  return plain;
};

/** Reads a query with brackets: `filters[code][conditions][$in][0]=a` becomes nested objects, numbered members lists,
 *  every leaf a text. Of a repeated name the first value counts. Objects have no prototype, so no name is special. */
export const parseQueryString = (text: string): Record<string, unknown> => {
  const query = nested();
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    count += 1;
    if (count > parametersMax) break;
    put(query, name, value);
  }
  const flat = nested() as Record<string, unknown>;
  for (const [name, value] of Object.entries(query))
    flat[name] = typeof value === 'string' ? value : withLists(value);
  return flat;
};
