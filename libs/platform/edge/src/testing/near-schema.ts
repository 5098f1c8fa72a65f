import fc from 'fast-check';
import type { JsonSchema } from '../openapi/json-schema';

const odd = fc.constantFrom<unknown>(null, true, 0, -1, 0.5, 2 ** 53, '', 'x', '12', '2026-03-31', [], {}, [
  {},
]);

/** Seldom wrong, so that values of many parts are right often enough for a single wrong part to decide. */
const mostly = <T>(right: fc.Arbitrary<T>, wrong: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.tuple(fc.nat(40), right, wrong).map(([turn, one, other]) => (turn === 0 ? other : one));

const textNear = ({ minLength = 0, maxLength = 8 }: JsonSchema): fc.Arbitrary<string> => {
  const [least, most] = [minLength as number, maxLength as number];
  return mostly(fc.constantFrom(least, most), fc.constantFrom(Math.max(least - 1, 0), most + 1)).map(
    (length) => 'a'.repeat(length),
  );
};

// Of a text that stands for a number a schema tells the form, not the limits: it is 7 or no number.
const numberNear = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  const { minimum = -1, maximum = 1 } = schema;
  const [least, most] = [minimum as number, maximum as number];
  const right = 'x-numeric-text' in schema ? [least, most, '7'] : [least, most];
  return mostly<unknown>(fc.constantFrom(...right), fc.constantFrom<unknown>(least - 1, most + 1, 1.5, 'x7'));
};

const dateText = mostly(
  fc.constantFrom('2026-03-31', '2026-03-31T10', '2026-03-31T10:00:00.000Z'),
  fc.constantFrom('2026-03-31T10:00+01:00', '31.03.2026'),
);

const listNear = (
  { items = {}, minItems = 0, maxItems = 3 }: JsonSchema,
  resolve: (schema: JsonSchema) => JsonSchema,
): fc.Arbitrary<unknown> => {
  const [least, most] = [minItems as number, Math.min(maxItems as number, 40)];
  const element = nearSchema(items as JsonSchema, resolve);
  const repeated = (lengths: number[]) =>
    fc.tuple(element, fc.constantFrom(...lengths)).map(([one, length]) => Array.from({ length }, () => one));
  return mostly(
    fc.oneof(
      { weight: 3, arbitrary: fc.array(element, { minLength: least, maxLength: Math.max(least, 2) }) },
      { weight: 1, arbitrary: repeated([least, most]) },
    ),
    repeated([Math.max(least - 1, 0), most + 1]),
  );
};

/** Absent once in `presences` + 1 times. `fc.option` would be absent more often the deeper it is. */
const sometimes = <T>(value: fc.Arbitrary<T>, presences: number): fc.Arbitrary<T | undefined> =>
  fc.tuple(fc.nat(presences), value).map(([turn, one]) => (turn === 0 ? undefined : one));

const objectNear = (
  { properties = {}, required = [] }: JsonSchema,
  resolve: (schema: JsonSchema) => JsonSchema,
): fc.Arbitrary<unknown> => {
  const members = Object.fromEntries(
    Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => {
      const isRequired = (required as string[]).includes(name);
      return [name, sometimes(nearSchema(schema, resolve), isRequired ? 60 : 1)];
    }),
  );
  // As JSON: what is undefined is not there.
  return fc
    .record({ ...members, unheardOf: sometimes(odd, 1) })
    .map((value) => JSON.parse(JSON.stringify(value)) as unknown);
};

const widenedValue = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(widenedValue);
  return typeof value === 'object' && value !== null ? widened(value as JsonSchema) : value;
};

/** The schema with the second forms that the API reads besides the documented one: numeric text, and a bare value
 *  instead of a list of one. Generators would make unions of them. */
export const widened = (schema: JsonSchema): JsonSchema => {
  const inner: JsonSchema = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, widenedValue(value)]),
  );
  const { type, items } = inner;
  if (typeof inner['x-numeric-text'] === 'string')
    return { ...inner, type: [type, 'string'].flat(), pattern: inner['x-numeric-text'] };
  return inner['x-single-value'] === true && type === 'array' ? { anyOf: [inner, items] } : inner;
};

/** JSON values that a schema admits, or nearly: limits come in pairs (n, n + 1), types are exchanged now and then.
 *  `resolve` follows references. */
export const nearSchema = (
  schema: JsonSchema,
  resolve: (schema: JsonSchema) => JsonSchema,
): fc.Arbitrary<unknown> => {
  const { type, enum: allowed, anyOf, pattern } = schema;
  if (schema.$ref !== undefined) return nearSchema(resolve(schema), resolve);
  if (Array.isArray(anyOf))
    return fc.oneof(...(anyOf as JsonSchema[]).map((one) => nearSchema(one, resolve)));
  const types = [type].flat();
  const fitting: fc.Arbitrary<unknown>[] = [];
  if (Array.isArray(allowed)) fitting.push(fc.constantFrom(...(allowed as unknown[])));
  else if (types.includes('object')) fitting.push(objectNear(schema, resolve));
  else if (types.includes('array')) fitting.push(listNear(schema, resolve));
  else if (types.includes('integer') || types.includes('number')) fitting.push(numberNear(schema));
  else if (pattern !== undefined) fitting.push(dateText);
  else if (types.includes('string')) fitting.push(textNear(schema));
  else if (types.includes('boolean')) fitting.push(fc.boolean());
  else if (types.includes('null')) fitting.push(fc.constant(null));
  const [right = odd] = fitting;
  return mostly(right, odd);
};
