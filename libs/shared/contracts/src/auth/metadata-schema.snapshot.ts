import type { MetadataSchema } from '@scrip/metadata-schemas';

/** A metadata schema of a project. Source: reference 07 §8. */
export interface MetadataSchemaSnapshot extends MetadataSchema {
  /** `ms_…` */
  id: string;
  created_at: string;
  updated_at: string | null;
}
