import { getMetadataStorage } from 'class-validator';
import type { JsonSchema } from '../openapi/json-schema';

/** Where a value comes from: texts of a query stand for numbers and booleans. */
export type InputSource = 'body' | 'query';

type Class<T = object> = new () => T;

/** What the pipe does with a property before class-validator sees it. */
export interface DtoField {
  /** Class of the property's object, or of its list's elements. */
  nested?: () => Class;
  list?: { min: number; max: number };
  /** Brings a value that is fine into its stored form; leaves others as they are. */
  normalise?: (value: unknown, source: InputSource) => unknown;
  /** The rule's name in class-validator's tables. */
  rule?: string;
  /** What the rule admits, for the OpenAPI document. */
  schema?: (source: InputSource) => JsonSchema;
}

const declared = new WeakMap<object, Map<string, DtoField>>();

/** Notes what a decorator knows of a property; several decorators of one property add up. */
export const declareField = (prototype: object, property: string, field: DtoField): void => {
  const fields = declared.get(prototype) ?? new Map<string, DtoField>();
  fields.set(property, { ...fields.get(property), ...field });
  declared.set(prototype, fields);
};

const known = new WeakMap<Class, ReadonlyMap<string, DtoField>>();

/** The properties a DTO class names, inherited ones included; everything else in an input is dropped. */
export const fieldsOf = (dto: Class): ReadonlyMap<string, DtoField> => {
  const before = known.get(dto);
  if (before) return before;
  const fields = new Map<string, DtoField>();
  for (const { propertyName } of getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false)) {
    fields.set(propertyName, {});
  }
  for (
    let prototype: object | null = dto.prototype as object;
    prototype;
    prototype = Object.getPrototypeOf(prototype) as object | null
  ) {
    for (const [property, field] of declared.get(prototype) ?? []) {
      fields.set(property, { ...field, ...fields.get(property) });
    }
  }
  known.set(dto, fields);
  return fields;
};
