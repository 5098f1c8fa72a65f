import { instantInputForm, instantProblem, parseInstant } from '@scrip/kernel';
import { registerDecorator, ValidateNested } from 'class-validator';
import { type JsonSchema, numericText } from '../openapi/json-schema';
import { declareField, type InputSource } from './dto-fields';
import { isPlainObject } from './instantiate';
import { PageOverLimit } from './page-over-limit';

type Class = new () => object;

/** What a field must be. */
export interface Rule {
  name: string;
  /** What is wrong with a value, or null. */
  problem: (value: unknown) => string | null;
  /** The same as JSON Schema, as far as it can say it. */
  schema: JsonSchema | ((source: InputSource) => JsonSchema);
  normalise?: (value: unknown, source: InputSource) => unknown;
}

/** A property decorator for one rule of ours. */
export const rule =
  ({ name, problem, schema, normalise }: Rule): PropertyDecorator =>
  (prototype, property) => {
    const propertyName = String(property);
    declareField(prototype, propertyName, {
      rule: name,
      schema: typeof schema === 'function' ? (schema as (source: InputSource) => JsonSchema) : () => schema,
      ...(normalise ? { normalise } : {}),
    });
    registerDecorator({
      name,
      target: prototype.constructor,
      propertyName,
      options: { message: ({ value }) => problem(value) ?? 'is invalid' },
      validator: { validate: (value: unknown) => problem(value) === null },
    });
  };

/** Also of integers that are too large, which are refused as such. */
const integerText = /^-?\d{1,30}$/;

const numberOf = (value: unknown): unknown =>
  typeof value === 'string' && integerText.test(value) ? Number(value) : value;

const outside = (value: number, min: number, max: number): string | null => {
  if (value < min) return `must be >= ${min}`;
  return value > max ? `must be <= ${max}` : null;
};

export interface IntegerOptions {
  min?: number;
  max?: number;
  /** Also takes `"12"` in bodies; queries always do. */
  acceptText?: boolean;
  /** How messages call the type. */
  typeName?: string;
}

/** A safe integer within `min` and `max`. */
export const IsInteger = (options: IntegerOptions = {}): PropertyDecorator => {
  const {
    min = Number.MIN_SAFE_INTEGER,
    max = Number.MAX_SAFE_INTEGER,
    acceptText = false,
    typeName = 'integer',
  } = options;
  return rule({
    name: 'isInteger',
    problem: (value) =>
      Number.isInteger(value) ? outside(value as number, min, max) : `must be ${typeName}`,
    schema: (source) => ({
      type: 'integer',
      ...(acceptText && source === 'body' ? numericText(integerText) : {}),
      minimum: min,
      maximum: max,
    }),
    normalise: (value, source) => (acceptText || source === 'query' ? numberOf(value) : value),
  });
};

/** Money in minor units, or points: an integer of 0 to 2^53 − 1. Source: reference 07 §1.1. */
export const IsAmount = (): PropertyDecorator => IsInteger({ min: 0 });

/** A finite number within `min` and `max`. */
export const IsDecimal = ({ min = -Number.MAX_VALUE, max = Number.MAX_VALUE } = {}): PropertyDecorator =>
  rule({
    name: 'isDecimal',
    problem: (value) => (Number.isFinite(value) ? outside(value as number, min, max) : 'must be number'),
    schema: { type: 'number', minimum: min, maximum: max },
  });

/** A text of `min` to `max` UTF-16 units. */
export const IsText = ({
  min = 0,
  max = 65_536,
  description,
}: { min?: number; max?: number; description?: string } = {}): PropertyDecorator =>
  rule({
    name: 'isText',
    problem: (value) => {
      if (typeof value !== 'string') return 'must be string';
      if (value.length < min) return `should NOT be shorter than ${min} characters`;
      return value.length > max ? `should NOT be longer than ${max} characters` : null;
    },
    schema: {
      type: 'string',
      ...(min > 0 ? { minLength: min } : {}),
      maxLength: max,
      ...(description === undefined ? {} : { description }),
    },
  });

/** `true` or `false`; in a query also their texts. */
export const IsFlag = (): PropertyDecorator =>
  rule({
    name: 'isFlag',
    problem: (value) => (typeof value === 'boolean' ? null : 'must be boolean'),
    schema: { type: 'boolean' },
    normalise: (value, source) => {
      if (source !== 'query' || (value !== 'true' && value !== 'false')) return value;
      return value === 'true';
    },
  });

const enumOf = (allowed: readonly (string | number)[]): JsonSchema => ({
  type: allowed.every((value) => typeof value === 'string') ? 'string' : 'integer',
  enum: [...allowed],
});

/** One of `allowed`, which the message lists. */
export const IsOneOf = (allowed: readonly (string | number)[]): PropertyDecorator =>
  rule({
    name: 'isOneOf',
    problem: (value) =>
      allowed.includes(value as string)
        ? null
        : `should be equal to one of the allowed values [ ${allowed.join(', ')} ]`,
    schema: enumOf(allowed),
  });

/** A list of texts, each at most `maxLength` units, or of `allowed` ones only. */
export const IsTextList = (options: {
  min?: number;
  max: number;
  maxLength?: number;
  allowed?: readonly string[];
  /** What the handler admits, which looks at the texts itself; for the API description. */
  told?: readonly string[];
  description?: string;
}): PropertyDecorator => {
  const { min = 0, max, maxLength = 65_536, allowed, told = allowed, description } = options;
  return rule({
    name: 'isTextList',
    problem: (value) => {
      if (!Array.isArray(value)) return 'must be array';
      if (value.length < min) return `should NOT have fewer than ${min} items`;
      if (value.length > max) return `should NOT have more than ${max} items`;
      if (!value.every((item) => typeof item === 'string' && item.length <= maxLength))
        return 'must be array of strings';
      return allowed && !value.every((item) => allowed.includes(item as string))
        ? `should be equal to one of the allowed values [ ${allowed.join(', ')} ]`
        : null;
    },
    schema: {
      type: 'array',
      items: told ? enumOf(told) : { type: 'string', maxLength },
      ...(min > 0 ? { minItems: min } : {}),
      maxItems: max,
      ...(description === undefined ? {} : { description }),
    },
  });
};

/** A time in any of the forms the API accepts; becomes ISO 8601 UTC with milliseconds. Source: reference 07 §1.1. */
export const IsDateInput = (): PropertyDecorator =>
  rule({
    name: 'isDateInput',
    problem: (value) => (parseInstant(value) ? null : instantProblem(value)),
    schema: {
      type: 'string',
      pattern: instantInputForm.source,
      description:
        'ISO 8601, in UTC unless it has an offset: `2026-03-31`, `2026-03-31T10`, `2026-03-31T10:00:00.000Z`, ' +
        '`2026-03-31T12:00:00+02:00`.',
      examples: ['2026-03-31'],
    },
    normalise: (value) => parseInstant(value)?.toISOString() ?? value,
  });

/** A calendar day, alone or as the beginning of a time; becomes `YYYY-MM-DD`. */
export const IsDay = (): PropertyDecorator =>
  rule({
    name: 'isDay',
    problem: (value) => (parseInstant(value) ? null : instantProblem(value)),
    schema: {
      type: 'string',
      pattern: instantInputForm.source,
      description: 'A day: `2026-03-31`. What follows it is ignored.',
      examples: ['2026-03-31'],
    },
    normalise: (value) => (parseInstant(value) ? (value as string).slice(0, 10) : value),
  });

const metadataLimits = { depth: 16, bytes: 65_536 };

const deeperThan = (value: unknown, limit: number): boolean => {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
};

/** A JSON object of the caller's own, at most 16 levels deep and 64 KiB of JSON. */
export const IsMetadata = (): PropertyDecorator =>
  rule({
    name: 'isMetadata',
    problem: (value) => {
      if (!isPlainObject(value)) return 'must be object';
      if (deeperThan(value, metadataLimits.depth))
        return `should NOT be nested deeper than ${metadataLimits.depth} levels`;
      return Buffer.byteLength(JSON.stringify(value)) > metadataLimits.bytes
        ? `should NOT be larger than ${metadataLimits.bytes} bytes`
        : null;
    },
    schema: {
      type: 'object',
      additionalProperties: true,
      description: `At most ${metadataLimits.depth} levels and ${metadataLimits.bytes} bytes of JSON.`,
    },
  });

/** An object, whatever it says, for a handler that reads it itself; `description` tells what that one wants. */
export const IsAnyObject = (description: string): PropertyDecorator =>
  rule({
    name: 'isAnyObject',
    problem: (value) => (isPlainObject(value) ? null : 'must be object'),
    schema: { type: 'object', additionalProperties: true, description },
  });

/** Whatever JSON the caller sent, unchecked, for a handler that reads it itself; `schema` tells what that one wants. */
export const IsAnything = (schema: JsonSchema = {}): PropertyDecorator =>
  rule({ name: 'isAnything', problem: () => null, schema });

/** Nothing but null: what has its place elsewhere is refused, and `problem` says where. */
export const IsNothing = (problem: string): PropertyDecorator =>
  rule({
    name: 'isNothing',
    problem: (value) => (value === null ? null : problem),
    schema: { type: 'null', description: `Null or absent; anything else ${problem}.` },
  });

/** class-validator looks into nested values only where there are any. */
const isThere = (problem: string): PropertyDecorator =>
  rule({ name: 'isThere', problem: (value) => (value == null ? problem : null), schema: {} });

/** An object read as `dto`. */
export const Nested =
  (dto: () => Class): PropertyDecorator =>
  (prototype, property) => {
    isThere('must be object')(prototype, property);
    declareField(prototype, String(property), { nested: dto });
    ValidateNested()(prototype, property as string);
  };

/** A list of objects, each read as `dto`. */
export const NestedList =
  (dto: () => Class, { min = 0, max }: { min?: number; max: number }): PropertyDecorator =>
  (prototype, property) => {
    isThere('must be array')(prototype, property);
    declareField(prototype, String(property), { nested: dto, list: { min, max } });
    ValidateNested({ each: true })(prototype, property as string);
  };

/** A page number of 1 to `highest`; above it the answer is `page_over_limit`. Source: reference 07 §1.3. */
export const IsPage = (highest: number): PropertyDecorator =>
  rule({
    name: 'isPage',
    problem: (value) => (Number.isInteger(value) ? outside(value as number, 1, highest) : 'must be integer'),
    schema: { type: 'integer', minimum: 1, maximum: highest },
    normalise: (value) => {
      const page = numberOf(value);
      if (typeof page === 'number' && page > highest) throw new PageOverLimit(highest);
      return page;
    },
  });
