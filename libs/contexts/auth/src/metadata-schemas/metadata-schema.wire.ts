import type { MetadataSchemaSnapshot } from '@scrip/contracts/auth';
import type { MetadataDefinition, MetadataType } from '@scrip/metadata-schemas';

/** A definition as the server-side API shows it. A removed one says so; limits that it does not set are left out. */
export interface MetadataDefinitionResponse {
  type: MetadataType;
  array: boolean;
  optional: boolean;
  deleted?: boolean;
  objectType?: string;
  minLength?: number;
  maxLength?: number;
  exactLength?: number;
  eq?: (string | number)[];
  ne?: number[];
  lt?: number;
  lte?: number;
  gt?: number;
  gte?: number;
}

interface Rendered<Definition> {
  /** `ms_…` */
  id: string;
  related_object: string;
  /** By key of the metadata. */
  properties: Record<string, Definition>;
  /** Keys without a definition are refused. */
  allow_defined_only: boolean;
  created_at: string;
  updated_at: string | null;
  object: 'metadata_schema';
}

/** A schema as the server-side API shows it. */
export type MetadataSchemaResponse = Rendered<MetadataDefinitionResponse>;

/** A schema as management shows it. */
export type ManagedMetadataSchemaResponse = Rendered<MetadataDefinition>;

const rendered = <Definition>(
  { id, related_object, properties, allow_defined_only, created_at, updated_at }: MetadataSchemaSnapshot,
  render: (definition: MetadataDefinition) => Definition,
): Rendered<Definition> => ({
  id,
  related_object,
  properties: Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, render(one)])),
  allow_defined_only,
  created_at,
  updated_at,
  object: 'metadata_schema',
});

/** Names of several words are in camel case. Source: reference 07 §8. */
export const renderMetadataSchema = (schema: MetadataSchemaSnapshot): MetadataSchemaResponse =>
  rendered(schema, ({ object_type, min_length, max_length, exact_length, ...others }) => ({
    ...others,
    ...(object_type === undefined ? {} : { objectType: object_type }),
    ...(min_length === undefined ? {} : { minLength: min_length }),
    ...(max_length === undefined ? {} : { maxLength: max_length }),
    ...(exact_length === undefined ? {} : { exactLength: exact_length }),
  }));

/** Names of several words are in snake case. Source: reference 07 §8. */
export const renderManagedMetadataSchema = (schema: MetadataSchemaSnapshot): ManagedMetadataSchemaResponse =>
  rendered(schema, (definition) => definition);
