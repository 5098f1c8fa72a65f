import type { JsonSchema } from '@scrip/edge';

/** A field of an event or shape. */
interface Field {
  /** `vouchers[].code` */
  name: string;
  schema: JsonSchema;
  optional: boolean;
}

const code = (value: unknown): string => `\`${String(value)}\``;

const withoutNull = ({ type, enum: allowed, anyOf, ...schema }: JsonSchema): JsonSchema => ({
  ...schema,
  ...(type === undefined ? {} : { type: Array.isArray(type) ? type.find((one) => one !== 'null') : type }),
  ...(Array.isArray(allowed) ? { enum: allowed.filter((one) => one !== null) } : {}),
  ...(Array.isArray(anyOf) ? { anyOf: anyOf.filter((one: JsonSchema) => one.type !== 'null') } : {}),
});

const admitsNull = ({ type, anyOf }: JsonSchema): boolean =>
  (Array.isArray(type) && type.includes('null')) ||
  (Array.isArray(anyOf) && anyOf.some((one: JsonSchema) => one.type === 'null'));

const linkOf = (name: unknown): string => `[${String(name)}](#${String(name).toLowerCase()})`;

const presentType = (schema: JsonSchema): string => {
  const { $ref, const: only, enum: allowed, anyOf, type, items, format, additionalProperties } = schema;
  if ($ref !== undefined) return linkOf($ref);
  if (only !== undefined) return code(only);
  if (Array.isArray(allowed)) return allowed.map(code).join(' or ');
  if (Array.isArray(anyOf)) return anyOf.map(presentType).join(' or ');
  if (type === 'array') return `list of ${typeText((items ?? {}) as JsonSchema)}`;
  if (type === 'object' && typeof additionalProperties === 'object' && additionalProperties !== null)
    return `map to ${typeText(additionalProperties as JsonSchema)}`;
  if (format === 'date-time') return 'instant';
  return type === undefined ? 'anything' : String(type);
};

const typeText = (schema: JsonSchema): string =>
  admitsNull(schema) ? `${presentType(withoutNull(schema))} or null` : presentType(schema);

const membersOf = (schema: JsonSchema): JsonSchema | null => {
  const present = admitsNull(schema) ? withoutNull(schema) : schema;
  const only = Array.isArray(present.anyOf) && present.anyOf.length === 1 ? present.anyOf[0] : present;
  return (only as JsonSchema).properties ? (only as JsonSchema) : null;
};

/** The fields of a schema, those of unnamed objects within it after their own. */
const fieldsOf = (schema: JsonSchema, path = ''): Field[] => {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).flatMap(([name, property]) => {
    const field = { name: `${path}${name}`, schema: property, optional: !required.includes(name) };
    const inner = membersOf(property);
    if (inner) return [field, ...fieldsOf(inner, `${field.name}.`)];
    const items = property.type === 'array' ? membersOf((property.items ?? {}) as JsonSchema) : null;
    return items ? [field, ...fieldsOf(items, `${field.name}[].`)] : [field];
  });
};

const row = ({ name, schema, optional }: Field): string => {
  const meaning = String(schema.description ?? '').replace(/\s*Source: .*$/, '');
  const presence = optional ? 'May be absent.' : '';
  return `| ${code(name)} | ${typeText(schema)} | ${[meaning, presence].filter(Boolean).join(' ')} |`;
};

/** The fields as a table in Markdown. */
export const fieldTable = (schema: JsonSchema): string =>
  ['| Field | Type | Meaning |', '| - | - | - |', ...fieldsOf(schema).map(row)].join('\n');

/** What a shape is that has no fields: one of several others, or one of some words. */
export const shapeText = (schema: JsonSchema): string =>
  schema.properties ? fieldTable(schema) : `${typeText(schema)}.`;
