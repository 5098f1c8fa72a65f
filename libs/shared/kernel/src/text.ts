interface Visited {
  readonly value: unknown;
  readonly parent: Visited | null;
  readonly step: string;
}

// In unicode mode a surrogate that belongs to a pair is no code point of its own.
const forbidden = /\0|\p{Surrogate}/u;

const escaped = (key: string): string =>
  key.replace(/\0|\p{Surrogate}/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

const pathOf = (last: Visited): string => {
  const steps: string[] = [];
  for (let visited: Visited | null = last; visited; visited = visited.parent) steps.push(visited.step);
  return steps.reverse().join('');
};

const childrenOf = (parent: Visited): Visited[] =>
  Array.isArray(parent.value)
    ? parent.value.map((value, index) => ({ value, parent, step: `[${index}]` }))
    : Object.entries(parent.value as object).map(([key, value]) => ({ value, parent, step: `.${key}` }));

/** Returns the path (`.items[0].name`; empty for the root itself) of the first text in parsed JSON, key or value,
 *  that contains NUL or half a surrogate pair: PostgreSQL cannot store it or UTF-8 cannot express it. Returns null
 *  when there is none. Such characters in a key appear escaped in the path. Any depth of nesting is accepted. */
export const hasForbiddenCharacters = (value: unknown): string | null => {
  const open: Visited[] = [{ value, parent: null, step: '' }];
  for (let visited = open.pop(); visited; visited = open.pop()) {
    if (forbidden.test(visited.step)) return pathOf({ ...visited, step: escaped(visited.step) });
    if (typeof visited.value === 'string' && forbidden.test(visited.value)) return pathOf(visited);
    if (typeof visited.value !== 'object' || visited.value === null) continue;
    for (const child of childrenOf(visited).reverse()) open.push(child);
  }
  return null;
};

/** The first UTF-16 units of a text, without half a surrogate pair at their end. */
export const beginningOf = (text: string, units: number): string =>
  text.length > units ? text.slice(0, units).replace(/[\uD800-\uDBFF]$/, '') : text;

/** The first UTF-16 units of a text, then an ellipsis where there are more. */
export const shortened = (text: string, units: number): string =>
  text.length > units ? `${beginningOf(text, units)}…` : text;
