import type { JsonSchema } from './json-schema';

/** The single text that a schema admits; null where it admits something else. */
export const onlyTextOf = ({ type, enum: allowed }: JsonSchema): string | null =>
  type === 'string' && Array.isArray(allowed) && allowed.length === 1 ? String(allowed[0]) : null;

const nameOf = ({ $ref }: JsonSchema): string | null =>
  typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? null) : null;

type SchemaOf = (name: string) => JsonSchema | undefined;

/** A union of named objects that a text tells apart gets a discriminator. Returns other schemas as they are. */
const discriminated = (schema: JsonSchema, schemaOf: SchemaOf): JsonSchema => {
  const { anyOf, ...others } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const references = (anyOf as JsonSchema[]).filter(({ type }) => type !== 'null');
  const found = references.map((one) => schemaOf(nameOf(one) ?? ''));
  if (references.length < 2 || found.some((one) => one?.properties === undefined)) return schema;
  const objects = found as { properties: Record<string, JsonSchema> }[];
  const property = Object.keys(objects[0]!.properties).find((name) => {
    const texts = objects.map(({ properties }) => onlyTextOf(properties[name] ?? {}));
    return texts.every((text) => text !== null) && new Set(texts).size === texts.length;
  });
  if (property === undefined) return schema;
  const mapping = Object.fromEntries(
    objects.map(({ properties }, index) => [
      onlyTextOf(properties[property]!) ?? '',
      references[index]!.$ref as string,
    ]),
  );
  const union = { oneOf: references, discriminator: { propertyName: property, mapping } };
  return references.length === anyOf.length
    ? { ...others, ...union }
    : { ...others, anyOf: [union, { type: 'null' }] };
};

/** The schema, its unions of named objects with discriminators where a text tells the objects apart: generators make
 *  tagged unions of them. `schemaOf` finds a schema by name. */
export const withDiscriminators = (schema: JsonSchema, schemaOf: SchemaOf): JsonSchema => {
  const inner = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, withinValue(value, schemaOf)]),
  );
  return discriminated(inner, schemaOf);
};

const withinValue = (value: unknown, schemaOf: SchemaOf): unknown => {
  if (Array.isArray(value)) return value.map((one) => withinValue(one, schemaOf));
  return typeof value === 'object' && value !== null
    ? withDiscriminators(value as JsonSchema, schemaOf)
    : value;
};
