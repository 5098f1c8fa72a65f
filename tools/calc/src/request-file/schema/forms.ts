/** A JSON schema. */
export type Schema = Readonly<Record<string, unknown>>;

export const text: Schema = { type: 'string', minLength: 1 };
export const anyText: Schema = { type: 'string' };
export const flag: Schema = { type: 'boolean' };
export const anything: Schema = {};
export const metadata: Schema = { type: 'object' };
export const count: Schema = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
export const texts: Schema = { type: 'array', items: text };

export const integer = (minimum: number, maximum: number): Schema => ({ type: 'integer', minimum, maximum });
export const oneOf = (...values: readonly string[]): Schema => ({ enum: values });
export const orNull = (schema: Schema): Schema => ({ ...schema, nullable: true });
export const listOf = (items: Schema): Schema => ({ type: 'array', items });
export const byName = (values: Schema): Schema => ({ type: 'object', additionalProperties: values });
export const fields = (
  properties: Readonly<Record<string, Schema>>,
  ...required: readonly string[]
): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
export const named = (names: readonly string[], schema: Schema): Record<string, Schema> =>
  Object.fromEntries(names.map((name) => [name, schema]));
export const either = (tag: string, ...branches: readonly Schema[]): Schema => ({
  type: 'object',
  discriminator: { propertyName: tag },
  required: [tag],
  oneOf: branches,
});
