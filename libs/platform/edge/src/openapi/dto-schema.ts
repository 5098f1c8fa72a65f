import { getMetadataStorage } from 'class-validator';
import { type DtoField, fieldsOf, type InputSource } from '../validation/dto-fields';
import { type JsonSchema, orNull } from './json-schema';

type Class = new () => object;

/** How a nested class is told: by reference, or inline. */
export type TellNested = (dto: Class) => JsonSchema;

interface ForeignRule {
  name?: string | undefined;
  type: string;
  each: boolean;
  constraints: unknown[] | undefined;
}

/** What class-validator's own rules say; a rule that is missing here stops the generator. */
const foreignRules: Readonly<Record<string, (rule: ForeignRule) => JsonSchema>> = {
  isArray: () => ({ type: 'array' }),
  arrayMaxSize: ({ constraints }) => ({ maxItems: constraints?.[0] }),
  arrayUnique: () => ({ uniqueItems: true }),
  isIn: ({ constraints, each }) => {
    const allowed = (constraints?.[0] ?? []) as readonly unknown[];
    const type = allowed.every((one) => typeof one === 'string') ? 'string' : 'integer';
    const schema = { type, enum: [...allowed] };
    return each ? { items: schema } : schema;
  },
};

const rulesOf = (dto: Class, property: string): ForeignRule[] =>
  getMetadataStorage()
    .getTargetValidationMetadatas(dto, '', false, false)
    .filter(({ propertyName }) => propertyName === property) as unknown as ForeignRule[];

const isOptional = (rules: readonly ForeignRule[]): boolean =>
  rules.some(({ type }) => type === 'conditionalValidation');

const foreignSchema = (rules: readonly ForeignRule[], own: string | undefined, where: string): JsonSchema =>
  Object.assign(
    {},
    ...rules
      .filter(({ type, name }) => type === 'customValidation' && name !== own)
      .map((rule) => {
        const told = foreignRules[rule.name ?? ''];
        if (!told) throw new Error(`${where}: nobody knows the schema of the rule ${rule.name}`);
        return told(rule);
      }),
  ) as JsonSchema;

const listOf = (items: JsonSchema, { min, max }: { min: number; max: number }): JsonSchema => ({
  type: 'array',
  items,
  ...(min > 0 ? { minItems: min } : {}),
  maxItems: max,
});

const fieldSchema = (field: DtoField, source: InputSource, nested: TellNested): JsonSchema => {
  if (field.nested) {
    const item = nested(field.nested());
    return field.list ? listOf(item, field.list) : item;
  }
  return field.schema?.(source) ?? {};
};

/** Schema of a DTO class as the input pipe reads it: properties it does not name are ignored, optional ones may be null
 *  in bodies. Throws `Error` for a rule it does not know. */
export const dtoSchema = (dto: Class, source: InputSource, nested: TellNested): JsonSchema => {
  const defaults = new dto() as Record<string, unknown>;
  const required: string[] = [];
  const properties: Record<string, JsonSchema> = {};
  for (const [property, field] of fieldsOf(dto)) {
    const rules = rulesOf(dto, property);
    const schema = {
      ...fieldSchema(field, source, nested),
      ...foreignSchema(rules, field.rule, `${dto.name}.${property}`),
      ...(defaults[property] === undefined ? {} : { default: defaults[property] }),
    };
    properties[property] = isOptional(rules) && source === 'body' ? orNull(schema) : schema;
    if (!isOptional(rules)) required.push(property);
  }
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: true,
  };
};

/** The same with every nested class written out. */
export const inlineDtoSchema = (dto: Class, source: InputSource): JsonSchema =>
  dtoSchema(dto, source, (nested) => inlineDtoSchema(nested, source));
