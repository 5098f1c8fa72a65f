import type { MetadataSchemaEvent } from '@scrip/contracts/auth';
import type { AggregateDefinition } from '@scrip/event-store';
import { duplicateSchema, evolveMetadataSchema, type MetadataSchemaState } from './metadata-schema.decider';

/** How schemas are stored. A related object has one. */
export const metadataSchemaAggregate: AggregateDefinition<MetadataSchemaState, MetadataSchemaEvent> = {
  aggregate: 'metadata-schema',
  table: 'metadata_schemas',
  evolve: evolveMetadataSchema,
  columns: {
    related_object: { type: 'text', of: ({ schema }) => schema.related_object },
    deleted: { type: 'boolean', of: ({ deleted }) => deleted },
  },
  conflicts: {
    metadata_schemas_related_object: ({ schema }) => duplicateSchema(schema.related_object),
  },
};
