/** Members of a list or map that are looked at. */
const samples = 8;

/** An object of more properties is taken for a map, whose members resemble each other. */
const mapKeys = 32;

// Punctuation, numbers, and what a value costs beside its characters.
const valueSize = 8;

const listSize = (list: readonly unknown[]): number => {
  const step = Math.max(1, list.length / samples);
  let size = 0;
  for (let at = 0; at < list.length; at += step) size += roughSize(list[Math.floor(at)]);
  return size * step;
};

const objectSize = (object: Record<string, unknown>): number => {
  const keys = Object.keys(object);
  const step = keys.length > mapKeys ? keys.length / samples : 1;
  let size = 0;
  for (let at = 0; at < keys.length; at += step) {
    const key = keys[Math.floor(at)] as string;
    size += key.length + roughSize(object[key]);
  }
  return size * step;
};

/** About how many characters a plain value has as JSON, for bounds on memory. Of long lists and of objects used as maps
 *  it looks at a few members only, so that it costs little however large the value is. */
export const roughSize = (value: unknown): number => {
  if (typeof value === 'string') return valueSize + value.length;
  if (typeof value !== 'object' || value === null) return valueSize;
  return valueSize + (Array.isArray(value) ? listSize(value) : objectSize(value as Record<string, unknown>));
};
