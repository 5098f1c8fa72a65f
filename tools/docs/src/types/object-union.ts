import { type JsonSchema, onlyTextOf } from '@scrip/edge';

type ObjectSchema = JsonSchema & {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
};

const isObject = (schema: JsonSchema): schema is ObjectSchema =>
  schema.type === 'object' && typeof schema.properties === 'object';

/** Whether one property has another single text in each of `schemas`. */
export const isTagged = (schemas: readonly JsonSchema[]): boolean => {
  if (!schemas.every(isObject)) return false;
  return Object.keys(schemas[0]?.properties ?? {}).some((property) => {
    const texts = schemas.map(({ properties }) => onlyTextOf(properties[property] ?? {}));
    return texts.every((text) => text !== null) && new Set(texts).size === schemas.length;
  });
};

const equal = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

const textsOf = ({ type, enum: allowed }: JsonSchema): readonly string[] | null =>
  type === 'string' && Array.isArray(allowed) ? (allowed as string[]) : null;

const mergedProperty = (schemas: readonly JsonSchema[]): JsonSchema => {
  const [first = {}, ...others] = schemas.filter(
    (schema, index) => schemas.findIndex((one) => equal(one, schema)) === index,
  );
  if (others.length === 0) return first;
  const texts = schemas.map(textsOf);
  if (texts.every((allowed) => allowed !== null))
    return { ...first, enum: [...new Set(texts.flat())].sort() };
  return mergedObject(schemas) ?? { anyOf: [first, ...others] };
};

/** One object with the properties of all `schemas`, of which those are required that each of them requires. Null where
 *  one of them is no object with named properties. */
export const mergedObject = (schemas: readonly JsonSchema[]): JsonSchema | null => {
  if (!schemas.every(isObject)) return null;
  const names = [...new Set(schemas.flatMap(({ properties }) => Object.keys(properties)))];
  const required = names.filter((name) => schemas.every((schema) => schema.required?.includes(name)));
  return {
    type: 'object',
    properties: Object.fromEntries(
      names.map((name) => [
        name,
        mergedProperty(schemas.map(({ properties }) => properties[name]).filter((one) => one !== undefined)),
      ]),
    ),
    ...(required.length > 0 ? { required } : {}),
  };
};
