import type { IndexedField } from './filter-column';

/** Texts of numbers and booleans in JSON; longer numbers than PostgreSQL takes are none. */
const isBareJson = (text: string): boolean => /^(true|false|-?(0|[1-9]\d{0,99})(\.\d{1,99})?)$/.test(text);

// JSON would keep halves of surrogate pairs as escapes, which PostgreSQL refuses.
const wellFormed = (text: string): string => Buffer.from(text).toString();

const quotedJson = (text: string): string => JSON.stringify(wellFormed(text));

const nested = (path: readonly string[], value: string): string =>
  path.reduceRight((inner, key) => `{${quotedJson(key)}:${inner}}`, value);

/** A condition that an index of `jsonb_path_ops` serves and that holds at least where the field, or an element of it, has
 *  one of the texts; undefined where texts could stand for objects or arrays. */
export const containmentSql = (
  { document, paths }: IndexedField,
  texts: readonly string[],
  add: (value: unknown) => string,
): string | undefined => {
  if (texts.some((text) => /^\s*[[{]/.test(text))) return undefined;
  const values = texts.flatMap((text) => [quotedJson(text), ...(isBareJson(text) ? [text] : [])]);
  const documents = paths.flatMap((path) =>
    values.flatMap((value) => [nested(path, value), nested(path, `[${value}]`)]),
  );
  return `${document} @> ANY(${add([...new Set(documents)])}::jsonb[])`;
};
