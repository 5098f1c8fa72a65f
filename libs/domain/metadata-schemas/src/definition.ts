/** The types that a value of metadata can have. Source: reference 07 §8. */
export const metadataTypes = [
  'string',
  'number',
  'boolean',
  'date',
  'datetime',
  'image_url',
  'geopoint',
  'object',
] as const;

/** A type of values of metadata. */
export type MetadataType = (typeof metadataTypes)[number];

/** The type of a key of metadata, dots leading into nested objects; undefined without a definition. */
export type MetadataTypes = (path: string) => MetadataType | undefined;

/** What a schema says about one key. A limit that is absent does not limit. Source: reference 07 §8. */
export interface MetadataDefinition {
  type: MetadataType;
  /** A list of the type; every limit then counts for each element. */
  array: boolean;
  /** False: the key must be present and not null. */
  optional: boolean;
  /** The definition is removed: the key counts as undefined. */
  deleted?: boolean;
  /** Of objects: the schema that their keys follow. */
  object_type?: string;
  /** Of strings, in characters (code points). */
  min_length?: number;
  max_length?: number;
  exact_length?: number;
  /** Of strings and numbers: the only values that are allowed. */
  eq?: (string | number)[];
  /** Of numbers: values that are forbidden. */
  ne?: number[];
  lt?: number;
  lte?: number;
  gt?: number;
  gte?: number;
}

/** The definitions for the metadata of one kind of object. */
export interface MetadataSchema {
  /** `customer`, `order`, …, or the name of a schema that others nest. */
  related_object: string;
  /** Keys without a definition are refused. */
  allow_defined_only: boolean;
  /** By key of the metadata. */
  properties: Record<string, MetadataDefinition>;
}

/** The objects that have metadata. Schemas of any other name are for nesting. Source: reference 07 §8. */
export const relatedObjects = [
  'campaign',
  'customer',
  'earning_rule',
  'loyalty_tier',
  'order',
  'order_item',
  'product',
  'promotion_tier',
  'publication',
  'redemption',
  'reward',
  'voucher',
] as const;

/** An object that has metadata. */
export type RelatedObject = (typeof relatedObjects)[number];

/** Whether a schema of this name is for nesting only. */
export const isNestedSchema = (name: string): boolean =>
  !(relatedObjects as readonly string[]).includes(name);
