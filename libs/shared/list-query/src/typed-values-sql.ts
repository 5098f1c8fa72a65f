import type { ValueKind } from './filter-operators';

/** Texts of callers become numbers and times only where they are such: a cast of another text would end the statement. */
const whereItIs = (condition: string, value: string): string => `(CASE WHEN ${condition} THEN ${value} END)`;

/** A text as a number; null where it is none. */
export const numberOf = (text: string): string =>
  whereItIs(`${text} ~ '^-?\\d{1,18}(\\.\\d{1,18})?$'`, `${text}::numeric`);

const beginsWithDay = (text: string): string => `${text} ~ '^\\d{4}-\\d\\d-\\d\\d'`;

/** UTC without an offset. */
const withOffset = (text: string): string =>
  `(CASE WHEN ${text} ~ '(Z|T.*[+-]\\d\\d:?\\d\\d)$' THEN ${text} ELSE ${text} || 'Z' END)`;

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
