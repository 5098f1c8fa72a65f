import type { MetadataDefinition, MetadataType } from './definition';

/** A limit of a definition: the types it is for, what it says, and what it asks of a value of such a type. */
interface Limit<Name extends LimitName = LimitName> {
  types: readonly MetadataType[];
  phrase(limit: NonNullable<MetadataDefinition[Name]>): string;
  holds(value: string | number, limit: NonNullable<MetadataDefinition[Name]>): boolean;
}

/** The names of the limits. */
export type LimitName = keyof Pick<
  MetadataDefinition,
  'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte' | 'min_length' | 'max_length' | 'exact_length'
>;

const lengthOf = (value: string | number): number => [...String(value)].length;
const characters = (count: number): string => `${count} ${count === 1 ? 'character' : 'characters'}`;

const ofNumbers = (
  words: string,
  holds: (value: number, limit: number) => boolean,
): Limit<'lt' | 'lte' | 'gt' | 'gte'> => ({
  types: ['number'],
  phrase: (limit) => `must be ${words} ${limit}`,
  holds: (value, limit) => holds(value as number, limit),
});

const ofLengths = (
  words: string,
  holds: (length: number, limit: number) => boolean,
): Limit<'min_length' | 'max_length' | 'exact_length'> => ({
  types: ['string'],
  phrase: (limit) => `must have ${words} ${characters(limit)}`,
  holds: (value, limit) => holds(lengthOf(value), limit),
});

/** Every limit, in the order in which texts name them. Source: reference 07 §8. */
export const limits: { readonly [Name in LimitName]: Limit<Name> } = {
  eq: {
    types: ['string', 'number'],
    phrase: (values) => `must be equal to one of ${values.join(',')}`,
    holds: (value, values) => values.includes(value),
  },
  ne: {
    types: ['number'],
    phrase: (values) => `must not be equal to any of ${values.join(',')}`,
    holds: (value, values) => !values.includes(value as number),
  },
  lt: ofNumbers('lower than', (value, limit) => value < limit),
  lte: ofNumbers('lower than or equal to', (value, limit) => value <= limit),
  gt: ofNumbers('greater than', (value, limit) => value > limit),
  gte: ofNumbers('greater than or equal to', (value, limit) => value >= limit),
  min_length: ofLengths('at least', (length, limit) => length >= limit),
  max_length: ofLengths('at most', (length, limit) => length <= limit),
  exact_length: ofLengths('exactly', (length, limit) => length === limit),
};

/** The names of the limits, in the order in which texts name them. */
export const limitNames = Object.keys(limits) as LimitName[];

/** A limit of one definition with its value. */
export interface SetLimit {
  phrase: string;
  holds(value: string | number): boolean;
}

const setLimit = <Name extends LimitName>(definition: MetadataDefinition, name: Name): SetLimit | null => {
  const value = definition[name];
  const limit: Limit<Name> = limits[name];
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return null;
  return { phrase: limit.phrase(value), holds: (one) => limit.holds(one, value) };
};

/** Returns the limits that a definition sets. An empty list of values is none. */
export const limitsOf = (definition: MetadataDefinition): SetLimit[] =>
  limitNames.map((name) => setLimit(definition, name)).filter((limit) => limit !== null);
