import { type Refusal, isCalendarDay, refuse } from '@scrip/kernel';

/** The first thing wrong with a payload; never leaves `parsePayload`. */
class Malformed extends Error {
  constructor(readonly details: string) {
    super(details);
  }
}

const malformed = (path: string, complaint: string): never => {
  throw new Malformed(path === '' ? `Payload ${complaint}` : `Property ${path} ${complaint}`);
};

/** Reads a value found at `path` (`.order.items[0]`) or complains in the API's grammar. Source: spec 07 §1.3. */
export type Reader<T> = (value: unknown, path: string) => T;

/** Runs a reader over a parsed JSON body; the first complaint becomes `invalid_payload`. */
export const parsePayload = <T>(reader: Reader<T>, body: unknown): T | Refusal => {
  try {
    return reader(body, '');
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

/** An object of these properties; others are dropped, absent ones stay absent. */
export const shape =
  <S extends Shape>(properties: S): Reader<Present<Read<S>>> =>
  (value, path) => {
    const source = objectAt(value, path);
    const read: Record<string, unknown> = {};
    for (const [name, reader] of Object.entries(properties)) {
      const found = reader(Object.hasOwn(source, name) ? source[name] : undefined, `${path}.${name}`);
      if (found !== undefined) read[name] = found;
    }
    return read as Present<Read<S>>;
  };

/** Absent, or what `reader` reads. */
export const optional =
  <T>(reader: Reader<T>): Reader<T | undefined> =>
  (value, path) =>
    value === undefined ? undefined : reader(value, path);

/** Absent or null (both read as absent), or what `reader` reads. */
export const nullable =
  <T>(reader: Reader<T>): Reader<T | undefined> =>
  (value, path) =>
    value === undefined || value === null ? undefined : reader(value, path);

/** Must be there. */
export const required =
  <T>(reader: Reader<T>): Reader<T> =>
  (value, path) => {
    if (value !== undefined) return reader(value, path);
    const cut = path.lastIndexOf('.');
    return malformed(path.slice(0, cut), `should have required property '${path.slice(cut + 1)}'`);
  };

const textUnitsMax = 65_536;

export const text: Reader<string> = (value, path) => {
  if (typeof value !== 'string') return malformed(path, 'must be string');
  return value.length > textUnitsMax
    ? malformed(path, `should NOT be longer than ${textUnitsMax} characters`)
    : value;
};

/** Text with something in it. */
export const filledText: Reader<string> = (value, path) => {
  const found = text(value, path);
  return found === '' ? malformed(path, 'should NOT be shorter than 1 characters') : found;
};

const identifierUnitsMax = 512;

/** A name that the caller gave something; short enough for an index entry in any script. */
export const identifier: Reader<string> = (value, path) => {
  const found = text(value, path);
  return found.length > identifierUnitsMax
    ? malformed(path, `should NOT be longer than ${identifierUnitsMax} characters`)
    : found;
};

export const flag: Reader<boolean> = (value, path) =>
  typeof value === 'boolean' ? value : malformed(path, 'must be boolean');

const metadataLimits = { levels: 16, bytes: 65_536 };

const levelsOf = (value: unknown): number => {
  let levels = 0;
  for (let level: unknown[] = [value]; level.length > 0 && levels <= metadataLimits.levels; levels += 1) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return levels - 1;
};

/** A JSON object of the caller's own, kept as it is: at most 16 levels and 64 KiB. */
export const jsonObject: Reader<Record<string, unknown>> = (value, path) => {
  const found = objectAt(value, path);
  if (levelsOf(found) > metadataLimits.levels) {
    return malformed(path, `should NOT be nested deeper than ${metadataLimits.levels} levels`);
  }
  return Buffer.byteLength(JSON.stringify(found)) > metadataLimits.bytes
    ? malformed(path, `should NOT be larger than ${metadataLimits.bytes} bytes`)
    : found;
};

/** What order amounts may reach, minor units: sums over 500 lines stay exact integers. */
const amountMax = 1e13;

const integer: Reader<number> = (value, path) => {
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number)
    ? number
    : malformed(path, 'must be integer');
};

/** An integer from `least` to `most`; numeric text is one too. Source: spec 03 §3.1. */
export const integerFrom =
  (least: number, most: number = amountMax): Reader<number> =>
  (value, path) => {
    const number = integer(value, path);
    if (number < least) return malformed(path, `must be >= ${least}`);
    return number > most ? malformed(path, `must be <= ${most}`) : number;
  };

/** An integer of at least `least`, with the interface's own words for less. */
export const notLowerThan =
  (least: number): Reader<number> =>
  (value, path) => {
    const number = integerFrom(-amountMax)(value, path);
    return number < least ? malformed(path, `cannot be lower than ${least}`) : number;
  };

/** One of `values`. */
export const oneOf =
  <const V extends string>(...values: V[]): Reader<V> =>
  (value, path) =>
    values.includes(value as V)
      ? (value as V)
      : malformed(path, `should be equal to one of the allowed values [ ${values.join(', ')} ]`);

/** An array of `least` to `most` elements. */
export const listOf =
  <T>(reader: Reader<T>, { least = 0, most = Infinity } = {}): Reader<T[]> =>
  (value, path) => {
    if (!Array.isArray(value)) return malformed(path, 'must be array');
    if (value.length < least) return malformed(path, `should NOT have fewer than ${least} items`);
    if (value.length > most) return malformed(path, `should NOT have more than ${most} items`);
    return value.map((element, index) => reader(element, `${path}[${index}]`));
  };

/** A property that this release does not support; silence would promise an effect that does not happen. */
export const unsupported =
  (what: string): Reader<undefined> =>
  (value, path) =>
    value === undefined || value === null ? undefined : malformed(path, `is not supported: ${what}`);

/** A calendar day that exists, `YYYY-MM-DD`; a time of day behind it is dropped. */
export const day: Reader<string> = (value, path) => {
  const found = text(value, path);
  const calendarDay = found.slice(0, 10);
  return isCalendarDay(calendarDay) && !Number.isNaN(Date.parse(found))
    ? calendarDay
    : malformed(path, 'cannot be recognized as a ISO-8601 compliant date');
};
