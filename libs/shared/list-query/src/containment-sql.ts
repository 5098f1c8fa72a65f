import type { IndexedField, ValueColumn } from './value-column';

/** Texts of numbers and booleans in JSON; longer numbers than PostgreSQL takes are none. */
const isBareJson = (text: string): boolean => /^(true|false|-?(0|[1-9]\d{0,99})(\.\d{1,99})?)$/.test(text);

// JSON would keep halves of surrogate pairs as escapes, which PostgreSQL refuses.
const wellFormed = (text: string): string => Buffer.from(text).toString();

const quotedJson = (text: string): string => JSON.stringify(wellFormed(text));

const nested = (path: readonly string[], value: string): string =>
  path.reduceRight((inner, key) => `{${quotedJson(key)}:${inner}}`, value);

/** The forms in JSON that values of a column can have; undefined where they cannot be listed: texts that could stand for
 *  objects or arrays, instants and places. */
export const containedJson = (
  { kind, typed }: Pick<ValueColumn, 'kind' | 'typed'>,
  texts: readonly string[],
): string[] | undefined => {
  if (typed && kind === 'number') return texts.map((text) => text.replace(/^(-?)0+(?=\d)/, '$1'));
  if (typed && kind === 'flag') return texts.map((text) => text.toLowerCase());
  if (kind === 'instant' || kind === 'geopoint' || texts.some((text) => /^\s*[[{]/.test(text)))
    return undefined;
  return texts.flatMap((text) => [quotedJson(text), ...(isBareJson(text) ? [text] : [])]);
};

/** A condition that an index of `jsonb_path_ops` serves and that holds at least where the field, or an element of it, has
 *  one of the values, which are JSON; undefined without a list of them. */
export const containmentSql = (
  { document, paths }: IndexedField,
  values: readonly string[] | undefined,
  add: (value: unknown) => string,
): string | undefined => {
  if (!values) return undefined;
  const documents = paths.flatMap((path) =>
    values.flatMap((value) => [nested(path, value), nested(path, `[${value}]`)]),
  );
  return `${document} @> ANY(${add([...new Set(documents)])}::jsonb[])`;
};
