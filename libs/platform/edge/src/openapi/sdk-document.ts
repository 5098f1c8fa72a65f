import type { JsonSchema } from './json-schema';

type Visit = (value: JsonSchema) => JsonSchema;

/** The value with `change` applied to every object in it, innermost first. */
const changed = (value: unknown, change: Visit): unknown => {
  if (Array.isArray(value)) return value.map((one) => changed(one, change));
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.entries(value).map(([name, one]) => [name, changed(one, change)]);
  return change(Object.fromEntries(inner) as JsonSchema);
};

/** Keywords whose value is no schema, but schemas by name. */
const namesSchemas: readonly string[] = ['properties', 'patternProperties'];

/** The schema with `change` applied to it and to every schema in it, innermost first. A property may be called like a
 *  keyword. */
const changedSchema = (schema: unknown, change: Visit): unknown => {
  if (Array.isArray(schema)) return schema.map((one) => changedSchema(one, change));
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.entries(schema).map(([keyword, value]) => [
    keyword,
    namesSchemas.includes(keyword)
      ? Object.fromEntries(
          Object.entries(value as JsonSchema).map(([name, one]) => [name, changedSchema(one, change)]),
        )
      : changedSchema(value, change),
  ]);
  return change(Object.fromEntries(inner) as JsonSchema);
};

const referencesIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  const { $ref } = value as { $ref?: unknown };
  const name = typeof $ref === 'string' ? /^#\/components\/schemas\/(\w+)$/.exec($ref)?.[1] : undefined;
  return [...(name === undefined ? [] : [name]), ...Object.values(value).flatMap(referencesIn)];
};

type Schemas = Readonly<Record<string, JsonSchema>>;

const reachedFrom = (value: unknown, schemas: Schemas, seen = new Set<string>()): ReadonlySet<string> => {
  for (const name of referencesIn(value)) {
    if (seen.has(name)) continue;
    seen.add(name);
    reachedFrom(schemas[name], schemas, seen);
  }
  return seen;
};

const valuesOf = (value: unknown, key: string): unknown[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => (name === key ? [one] : valuesOf(one, key)));
};

/** In a body null is an absent enumeration; generators would make two types of the field. */
const withoutNull = (schema: JsonSchema): JsonSchema => {
  const { type, enum: allowed } = schema;
  if (!Array.isArray(type) || !Array.isArray(allowed)) return schema;
  return { ...schema, type: type.find((one) => one !== 'null'), enum: allowed.filter((one) => one !== null) };
};

/** Unknown properties of a body are no error of the API, but one of the program that sends them. What admits only null
 *  is not supported yet, and left out. */
const closed = (schema: JsonSchema): JsonSchema => {
  if (schema.properties === undefined) return withoutNull(schema);
  const supported = Object.entries(schema.properties as JsonSchema).filter(
    ([, property]) => (property as JsonSchema).type !== 'null',
  );
  return { ...schema, properties: Object.fromEntries(supported), additionalProperties: false };
};

/** Generators make an index of it, which admits every name. */
const withoutIndex = (schema: JsonSchema): JsonSchema => {
  const { additionalProperties, patternProperties: _, ...others } = schema;
  if (schema.properties === undefined) return schema;
  return additionalProperties === true || additionalProperties === undefined
    ? others
    : { ...others, additionalProperties };
};

const withoutExtensions = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keyword.startsWith('x-')));

/** Generators know no images. */
const withBytes = (value: JsonSchema): JsonSchema => {
  if (!Object.keys(value).some((type) => type.startsWith('image/'))) return value;
  return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
};

const purpose = `This is the document for generators of clients. It is derived from \`/openapi.json\` and describes the same API,
with two differences: bodies of requests name all that may be sent, so that a misspelt property does not compile, and what
generators cannot express (second forms of a value, families of property names, types of images) is left out. Let the client
send \`Prefer: handling=strict\` with each call: then what no compiler sees is refused too.

`;

/** The document for generators of clients, derived from the whole one. Throws `Error` where a schema is both sent and
 *  answered: it cannot be closed for the one and open for the other. */
export const sdkDocument = (document: JsonSchema): JsonSchema => {
  const { paths, components, info } = document as {
    paths: JsonSchema;
    components: { schemas: Schemas };
    info: { description: string };
  };
  const sent = reachedFrom(valuesOf(paths, 'requestBody'), components.schemas);
  const answered = reachedFrom(
    [valuesOf(paths, 'responses'), valuesOf(components, 'responses')],
    components.schemas,
  );
  const both = [...sent].filter((name) => answered.has(name));
  if (both.length > 0) throw new Error(`schemas are both sent and answered: ${both.join(', ')}`);
  const schemas = Object.fromEntries(
    Object.entries(components.schemas).map(([name, schema]) => [
      name,
      changedSchema(schema, sent.has(name) ? closed : withoutIndex),
    ]),
  );
  const whole = {
    ...document,
    info: { ...info, description: `${purpose}${info.description}` },
    components: { ...components, schemas },
  };
  return changed(whole, (value) => withBytes(withoutExtensions(value))) as JsonSchema;
};
