/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 uses it. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Says of an integer that text of this form is read too, without giving the field a second type. */
export const numericText = (form: RegExp): JsonSchema => ({ 'x-numeric-text': form.source });

const nothing: JsonSchema = { type: 'null' };

/** What `schema` admits, and null. */
export const orNull = (schema: JsonSchema): JsonSchema => {
  if (Object.keys(schema).length === 0) return schema;
  const { type, enum: allowed, anyOf, properties } = schema;
  if (properties !== undefined) return { anyOf: [schema, nothing] };
  if (Array.isArray(allowed)) {
    const withNull = allowed.includes(null) ? allowed : [...(allowed as unknown[]), null];
    return typeof type === 'string'
      ? { ...schema, type: [type, 'null'], enum: withNull }
      : { ...schema, enum: withNull };
  }
  if (typeof type === 'string') return type === 'null' ? schema : { ...schema, type: [type, 'null'] };
  if (Array.isArray(type))
    return type.includes('null') ? schema : { ...schema, type: [...(type as string[]), 'null'] };
  return Array.isArray(anyOf)
    ? { ...schema, anyOf: [...(anyOf as unknown[]), nothing] }
    : { anyOf: [schema, nothing] };
};
