import type { JsonSchema } from '@scrip/edge';
import { isRefused, type Refusal, refuse } from '@scrip/kernel';
import { definitionProblem, type MetadataDefinition, metadataTypes } from '@scrip/metadata-schemas';
import { type Definitions, definitionsMax } from './metadata-schema.decider';

/** Longest key of metadata and longest allowed text, in UTF-16 units. */
const textMax = 256;

/** Values that a definition may allow or forbid. */
const valuesMax = 1_000;

/** How names of several words are spelt: by the server-side API, by management. */
export type Spelling = 'camel' | 'snake';

type Reader = { problem(value: unknown): string | null; schema: JsonSchema };

const isText = (value: unknown): boolean =>
  typeof value === 'string' && value.length >= 1 && value.length <= textMax;
const isNumber = (value: unknown): boolean => Number.isFinite(value);

const flag: Reader = {
  problem: (value) => (typeof value === 'boolean' ? null : 'must be boolean'),
  schema: { type: 'boolean' },
};
const number: Reader = {
  problem: (value) => (isNumber(value) ? null : 'must be number'),
  schema: { type: 'number' },
};
const length: Reader = {
  problem: (value) => {
    if (!Number.isSafeInteger(value)) return 'must be integer';
    return (value as number) < 0 ? 'must be >= 0' : null;
  },
  schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
};
const valuesOf = (one: (value: unknown) => boolean, words: string, items: JsonSchema): Reader => ({
  problem: (value) => {
    if (!Array.isArray(value)) return 'must be array';
    if (value.length > valuesMax) return `should NOT have more than ${valuesMax} items`;
    return value.every(one) ? null : `must be array of ${words}`;
  },
  schema: { type: 'array', items, maxItems: valuesMax },
});

const readers: Record<keyof MetadataDefinition, Reader> = {
  type: {
    problem: (value) =>
      (metadataTypes as readonly unknown[]).includes(value)
        ? null
        : `should be equal to one of the allowed values [ ${metadataTypes.join(', ')} ]`,
    schema: { type: 'string', enum: metadataTypes },
  },
  array: flag,
  optional: flag,
  deleted: flag,
  object_type: {
    problem: (value) => (isText(value) ? null : `must be string of 1 to ${textMax} characters`),
    schema: { type: ['string', 'null'], minLength: 1, maxLength: textMax },
  },
  min_length: length,
  max_length: length,
  exact_length: length,
  eq: valuesOf(
    (value) => isNumber(value) || (typeof value === 'string' && value.length <= textMax),
    `strings of at most ${textMax} characters or numbers`,
    { anyOf: [{ type: 'string', maxLength: textMax }, { type: 'number' }] },
  ),
  ne: valuesOf(isNumber, 'numbers', { type: 'number' }),
  lt: number,
  lte: number,
  gt: number,
  gte: number,
};

const names = Object.keys(readers) as (keyof MetadataDefinition)[];

const spelt = (name: string, spelling: Spelling): string =>
  spelling === 'snake' ? name : name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const otherSpelling = { camel: 'snake', snake: 'camel' } as const satisfies Record<Spelling, Spelling>;

/** What the sister API would read and this one would not: a limit that the caller believes to be set. */
const misspelt = (sent: Record<string, unknown>, spelling: Spelling): [string, string] | undefined =>
  names
    .map((name): [string, string] => [spelt(name, otherSpelling[spelling]), spelt(name, spelling)])
    .find(([theirs, ours]) => theirs !== ours && sent[theirs] != null);

/** What `readDefinitions` reads, as JSON Schema. */
export const definitionsSchema = (spelling: Spelling): JsonSchema => ({
  type: 'object',
  description: `Definitions by key of the metadata. At most ${definitionsMax}, removed ones included.`,
  propertyNames: { minLength: 1, maxLength: textMax },
  additionalProperties: {
    title: spelling === 'snake' ? 'ManagedMetadataDefinitionBody' : 'MetadataDefinitionBody',
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [spelt(name, spelling), readers[name].schema])),
    required: ['type'],
  },
});

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Sent = Pick<MetadataDefinition, 'type'> & Partial<MetadataDefinition>;

type InvalidDefinitions = Refusal<'invalid_payload'>;

const misfit = (place: string, problem: string): InvalidDefinitions =>
  refuse('invalid_payload', `Property .properties${place} ${problem}`);

const readDefinition = (
  key: string,
  sent: unknown,
  spelling: Spelling,
): MetadataDefinition | InvalidDefinitions => {
  if (!isObject(sent)) return misfit(`.${key}`, 'must be object');
  if (sent.type === undefined) return misfit(`.${key}`, "must have required property 'type'");
  const other = misspelt(sent, spelling);
  if (other) return misfit(`.${key}.${other[0]}`, `is called ${other[1]} here`);
  const read: Record<string, unknown> = {};
  for (const name of names) {
    const property = spelt(name, spelling);
    const value = Object.hasOwn(sent, property) ? sent[property] : undefined;
    if (value === undefined || (value === null && name !== 'type')) continue;
    const problem = readers[name].problem(value);
    if (problem !== null) return misfit(`.${key}.${property}`, problem);
    read[name] = value;
  }
  const { array = false, optional = true, deleted, ...others } = read as unknown as Sent;
  return { ...others, array, optional, ...(deleted ? { deleted } : {}) };
};

/** Reads the definitions that a caller sends for the schema of a related object; null counts as not sent. A definition
 *  is no list and optional unless it says otherwise. Refuses `invalid_payload`, naming the property as the caller spells
 *  it; also a name that only the other API has (`min_length` for `minLength`), with the right one. Source: reference 07 §8. */
export const readDefinitions = (
  input: unknown,
  relatedObject: string,
  spelling: Spelling,
): { properties: Definitions } | InvalidDefinitions => {
  if (input === undefined)
    return refuse('invalid_payload', "Payload must have required property 'properties'");
  if (!isObject(input)) return misfit('', 'must be object');
  const properties: [string, MetadataDefinition][] = [];
  for (const [key, sent] of Object.entries(input)) {
    if (!isText(key)) return misfit('', `must have keys of 1 to ${textMax} characters`);
    const definition = readDefinition(key, sent, spelling);
    if (isRefused(definition)) return definition;
    const found = definitionProblem(relatedObject, definition);
    if (found) return misfit(`.${key}.${spelt(found.property, spelling)}`, found.problem);
    properties.push([key, definition]);
  }
  return { properties: Object.fromEntries(properties) };
};
