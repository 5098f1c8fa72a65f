import { type JsonSchema, numericText, orNull } from '@scrip/edge';
import { instantProblem, isCalendarDay, parseInstant, type Refusal, refuse } from '@scrip/kernel';

/** The first thing wrong with a payload; never leaves `parsePayload`. */
class Malformed extends Error {
  constructor(readonly details: string) {
    super(details);
  }
}

const malformed = (path: string, complaint: string): never => {
  throw new Malformed(path === '' ? `Payload ${complaint}` : `Property ${path} ${complaint}`);
};

/** Reads a value found at `path` (`.order.items[0]`) or complains in the API's grammar. `schema` says the same as JSON
 *  Schema, for the OpenAPI document; `mayBeAbsent` where it reads undefined too. Source: reference 07 §1.3. */
export interface Reader<T> {
  (value: unknown, path: string): T;
  readonly schema: JsonSchema;
  readonly mayBeAbsent?: boolean;
}

const reader = <T>(schema: JsonSchema, read: (value: unknown, path: string) => T): Reader<T> =>
  Object.assign(read, { schema });

const readerOfOptional = <T>(schema: JsonSchema, read: (value: unknown, path: string) => T): Reader<T> =>
  Object.assign(read, { schema, mayBeAbsent: true });

/** Runs a reader over a parsed JSON body; the first complaint becomes `invalid_payload`. */
export const parsePayload = <T>(
  read: (value: unknown, path: string) => T,
  body: unknown,
): T | Refusal<'invalid_payload'> => {
  try {
    return read(body, '');
  } catch (error) {
    if (error instanceof Malformed) return refuse('invalid_payload', error.details);
    throw error;
  }
};

type Shape = Record<string, Reader<unknown>>;
type Read<S extends Shape> = { [K in keyof S]: S[K] extends Reader<infer T> ? T : never };
type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

const objectAt = (value: unknown, path: string): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : malformed(path, 'must be object');

const shapeSchema = (properties: Shape): JsonSchema => {
  const required = Object.keys(properties).filter((name) => !properties[name]!.mayBeAbsent);
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, { schema }]) => [name, schema] as const),
    ),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: true,
  };
};

/** An object of these properties; others are dropped, absent ones stay absent. */
export const shape = <S extends Shape>(properties: S): Reader<Present<Read<S>>> =>
  reader(shapeSchema(properties), (value, path) => {
    const source = objectAt(value, path);
    const read: Record<string, unknown> = {};
    for (const [name, reader] of Object.entries(properties)) {
      const found = reader(Object.hasOwn(source, name) ? source[name] : undefined, `${path}.${name}`);
      if (found !== undefined) read[name] = found;
    }
    return read as Present<Read<S>>;
  });

/** The same as `shape`; the API description calls the object `name`. */
export const namedShape = <S extends Shape>(name: string, properties: S): Reader<Present<Read<S>>> => {
  const read = shape(properties);
  return reader({ title: name, ...read.schema }, read);
};

/** Absent or null (both read as absent), or what `reader` reads. */
export const nullable = <T>(read: Reader<T>): Reader<T | undefined> =>
  readerOfOptional(orNull(read.schema), (value, path) =>
    value === undefined || value === null ? undefined : read(value, path),
  );

/** Absent stays absent, null stays null, or what `reader` reads: null clears a field. */
export const clearable = <T>(read: Reader<T>): Reader<T | null | undefined> =>
  readerOfOptional(orNull(read.schema), (value, path) =>
    value === undefined || value === null ? value : read(value, path),
  );

/** The same reader, with a description for the OpenAPI document. */
export const described = <T>(read: Reader<T>, description: string): Reader<T> =>
  Object.assign((value: unknown, path: string) => read(value, path), {
    schema: { ...read.schema, description },
    ...(read.mayBeAbsent ? { mayBeAbsent: true } : {}),
  });

/** Must be there. */
export const required = <T>(read: Reader<T>): Reader<T> =>
  reader(read.schema, (value, path) => {
    if (value !== undefined) return read(value, path);
    const cut = path.lastIndexOf('.');
    return malformed(path.slice(0, cut), `should have required property '${path.slice(cut + 1)}'`);
  });

const textUnitsMax = 65_536;

export const text: Reader<string> = reader({ type: 'string', maxLength: textUnitsMax }, (value, path) => {
  if (typeof value !== 'string') return malformed(path, 'must be string');
  return value.length > textUnitsMax
    ? malformed(path, `should NOT be longer than ${textUnitsMax} characters`)
    : value;
});

/** Text with something in it. */
export const filledText: Reader<string> = reader({ ...text.schema, minLength: 1 }, (value, path) => {
  const found = text(value, path);
  return found === '' ? malformed(path, 'should NOT be shorter than 1 characters') : found;
});

const identifierUnitsMax = 512;

/** A name that the caller gave something; short enough for an index entry in any script. */
export const identifier: Reader<string> = reader(
  { type: 'string', maxLength: identifierUnitsMax },
  (value, path) => {
    const found = text(value, path);
    return found.length > identifierUnitsMax
      ? malformed(path, `should NOT be longer than ${identifierUnitsMax} characters`)
      : found;
  },
);

/** A name with something in it. */
export const filledIdentifier: Reader<string> = reader(
  { ...identifier.schema, minLength: 1 },
  (value, path) => identifier(filledText(value, path), path),
);

/** A name, of which `fromName` makes what `read` reads of anything else. */
export const nameOr = <T>(fromName: (sent: string) => T, read: Reader<T>): Reader<T> =>
  reader({ anyOf: [filledIdentifier.schema, read.schema] }, (value, path) =>
    typeof value === 'string' ? fromName(filledIdentifier(value, path)) : read(value, path),
  );

export const flag: Reader<boolean> = reader({ type: 'boolean' }, (value, path) =>
  typeof value === 'boolean' ? value : malformed(path, 'must be boolean'),
);

const metadataLimits = { levels: 16, bytes: 65_536 };

const metadataSchema: JsonSchema = {
  type: 'object',
  additionalProperties: true,
  description: `At most ${metadataLimits.levels} levels and ${metadataLimits.bytes} bytes of JSON.`,
};

const levelsOf = (value: unknown): number => {
  let levels = 0;
  for (let level: unknown[] = [value]; level.length > 0 && levels <= metadataLimits.levels; levels += 1) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return levels - 1;
};

/** A JSON object of the caller's own, kept as it is: at most 16 levels and 64 KiB. */
export const jsonObject: Reader<Record<string, unknown>> = reader(metadataSchema, (value, path) => {
  const found = objectAt(value, path);
  if (levelsOf(found) > metadataLimits.levels) {
    return malformed(path, `should NOT be nested deeper than ${metadataLimits.levels} levels`);
  }
  return Buffer.byteLength(JSON.stringify(found)) > metadataLimits.bytes
    ? malformed(path, `should NOT be larger than ${metadataLimits.bytes} bytes`)
    : found;
});

/** What order amounts may reach, minor units: sums over 500 lines stay exact integers. */
const amountMax = 1e13;

/** Also of integers that are too large, which are refused as such. */
const integerText = /^-?\d{1,30}$/;

const integer = (value: unknown, path: string): number => {
  const number = typeof value === 'string' && integerText.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) ? number : malformed(path, 'must be integer');
};

const integerSchema = (least: number, most: number): JsonSchema => ({
  type: 'integer',
  ...numericText(integerText),
  minimum: least,
  maximum: most,
});

/** An integer from `least` to `most`; numeric text is one too. Source: reference 03 §3.1. */
export const integerFrom = (least: number, most: number = amountMax): Reader<number> =>
  reader(integerSchema(least, most), (value, path) => {
    const number = integer(value, path);
    if (number < least) return malformed(path, `must be >= ${least}`);
    return number > most ? malformed(path, `must be <= ${most}`) : number;
  });

/** An integer of at least `least`, with the interface's own words for less. */
export const notLowerThan = (least: number): Reader<number> =>
  reader(integerSchema(least, amountMax), (value, path) => {
    const number = integerFrom(-amountMax)(value, path);
    return number < least ? malformed(path, `cannot be lower than ${least}`) : number;
  });

/** One of `values`. */
export const oneOf = <const V extends string>(...values: V[]): Reader<V> =>
  reader({ type: 'string', enum: values }, (value, path) =>
    values.includes(value as V)
      ? (value as V)
      : malformed(path, `should be equal to one of the allowed values [ ${values.join(', ')} ]`),
  );

const listSchema = (items: JsonSchema, least: number, most: number): JsonSchema => ({
  type: 'array',
  items,
  ...(least > 0 ? { minItems: least } : {}),
  ...(most < Infinity ? { maxItems: most } : {}),
});

/** An array of `least` to `most` elements. */
export const listOf = <T>(element: Reader<T>, { least = 0, most = Infinity } = {}): Reader<T[]> =>
  reader(listSchema(element.schema, least, most), (value, path) => {
    if (!Array.isArray(value)) return malformed(path, 'must be array');
    if (value.length < least) return malformed(path, `should NOT have fewer than ${least} items`);
    if (value.length > most) return malformed(path, `should NOT have more than ${most} items`);
    return value.map((item, index) => element(item, `${path}[${index}]`));
  });

const daySchema: JsonSchema = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2})?)?$',
  description: 'A day, `2026-03-31`; a time of day behind it is dropped.',
  examples: ['2026-03-31'],
};

/** A calendar day that exists, `YYYY-MM-DD`; a time of day behind it is dropped. */
export const day: Reader<string> = reader(daySchema, (value, path) => {
  const found = text(value, path);
  const calendarDay = found.slice(0, 10);
  return isCalendarDay(calendarDay) && !Number.isNaN(Date.parse(found))
    ? calendarDay
    : malformed(path, instantProblem(found));
});

/** An instant, as the API accepts it; without an offset UTC. Source: reference 07 §1.1. */
export const instant: Reader<Date> = reader(
  { type: 'string', description: 'An instant, `2026-03-31T10:00:00Z`.', examples: ['2026-03-31T10:00:00Z'] },
  (value, path) => {
    const found = text(value, path);
    return parseInstant(found) ?? malformed(path, instantProblem(found));
  },
);
