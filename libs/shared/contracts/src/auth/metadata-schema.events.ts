import type { MetadataSchemaSnapshot } from './metadata-schema.snapshot';

/** Metadata schemas of projects: one stream per schema. Source: reference 06 §9.2. */
export type MetadataSchemaEvent = MetadataSchemaCreated | MetadataSchemaUpdated | MetadataSchemaDeleted;

/** A project got a metadata schema. */
export interface MetadataSchemaCreated {
  type: 'MetadataSchemaCreated';
  data: { schema: MetadataSchemaSnapshot };
}

/** Definitions of a metadata schema, or what it allows besides them, were changed. */
export interface MetadataSchemaUpdated {
  type: 'MetadataSchemaUpdated';
  data: { schema: MetadataSchemaSnapshot };
}

/** A metadata schema was dropped; metadata stays as it is. */
export interface MetadataSchemaDeleted {
  type: 'MetadataSchemaDeleted';
  data: {
    /** `ms_…` */
    schema_id: string;
    related_object: string;
  };
}
