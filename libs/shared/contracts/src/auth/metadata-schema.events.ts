import { isNestedSchema, type RelatedObject } from '@scrip/metadata-schemas';
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

/** Returns the projects in which events may have changed the types of a related object's metadata: by its own schema, or by one that
 *  others nest. */
export const projectsOfChangedTypes = (
  events: readonly { projectId: string; type: string; data: unknown }[],
  relatedObject: RelatedObject,
): string[] => {
  const named = events.filter((event) => {
    const { type, data } = event as unknown as MetadataSchemaEvent;
    const changed = type === 'MetadataSchemaDeleted' ? data.related_object : data.schema.related_object;
    return changed === relatedObject || isNestedSchema(changed);
  });
  return [...new Set(named.map(({ projectId }) => projectId))];
};
