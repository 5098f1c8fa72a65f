import type { ValueKind } from './filter-operators';

/** Texts of callers become numbers and times only where they are such: a cast of another text would end the statement. */
const whereItIs = (condition: string, value: string): string => `(CASE WHEN ${condition} THEN ${value} END)`;

/** A text as a number; null where it is none. */
export const numberOf = (text: string): string =>
  whereItIs(`${text} ~ '^-?\\d{1,18}(\\.\\d{1,18})?$'`, `${text}::numeric`);

const beginsWithDay = (text: string): string => `${text} ~ '^\\d{4}-\\d\\d-\\d\\d'`;

const bothDegrees = String.raw`^(geo:)?(-?\d{1,2}(\.\d{1,20})?),(-?\d{1,3}(\.\d{1,20})?)$`;

/** Whether a text may name a place. */
export const looksLikePlace = (text: string): string => `${text} ~ '${bothDegrees}'`;

/** A text of a place as its latitude and longitude; null where it is none. */
const degreesOf = (text: string): string => {
  const part = (index: number) => `split_part(replace(${text}, 'geo:', ''), ',', ${index})::float8`;
  return whereItIs(looksLikePlace(text), `ARRAY[${part(1)}, ${part(2)}]`);
};

/** A jsonb value that is no list, as its kind compares it; null where it is no value of the kind. */
export const elementOf = (kind: ValueKind, json: string): string => {
  const text = `(${json} #>> '{}')`;
  switch (kind) {
    case 'number':
      return whereItIs(`jsonb_typeof(${json}) = 'number'`, `${json}::numeric`);
    case 'flag':
      return whereItIs(`jsonb_typeof(${json}) = 'boolean'`, `${json}::boolean`);
    case 'instant':
      return instantOf(text);
    case 'day':
      return whereItIs(
        `${text} ~ '^\\d{4}-\\d\\d-\\d\\d$' AND pg_input_is_valid(${text}, 'date')`,
        `${text}::date`,
      );
    case 'geopoint':
      return degreesOf(text);
    default:
      return text;
  }
};

/** UTC without an offset; PostgreSQL takes no hour alone. */
const withOffset = (text: string): string =>
  `regexp_replace(CASE WHEN ${text} ~ '(Z|T.*[+-]\\d\\d:?\\d\\d)$' THEN ${text} ELSE ${text} || 'Z' END,
    'T(\\d\\d)(?![\\d:])', 'T\\1:00')`;

/** A text as an instant; null where it is none. */
export const instantOf = (text: string): string =>
  whereItIs(
    `${beginsWithDay(text)} AND pg_input_is_valid(${withOffset(text)}, 'timestamptz')`,
    `${withOffset(text)}::timestamptz`,
  );

/** The day of a value in the project's time zone; a text of a day alone is that day. */
export const dayOf = (kind: ValueKind, value: string, zone: () => string): string => {
  if (kind === 'day') return value;
  if (kind === 'instant') return `(${value} AT TIME ZONE ${zone()})::date`;
  return `(CASE WHEN ${value} ~ '^\\d{4}-\\d\\d-\\d\\d$'
    THEN ${whereItIs(`pg_input_is_valid(${value}, 'date')`, `${value}::date`)}
    ELSE (${instantOf(value)} AT TIME ZONE ${zone()})::date END)`;
};

/** How many elements a jsonb value has: none where it is absent, one where it is no list. */
export const lengthOf = (json: string): string =>
  `(CASE coalesce(jsonb_typeof(${json}), 'null') WHEN 'null' THEN 0 WHEN 'array' THEN jsonb_array_length(${json}) ELSE 1 END)`;
