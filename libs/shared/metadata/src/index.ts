export { type CheckMetadata, MetadataSchemas } from './metadata-schemas';
export type { CompiledSchema, MetadataRefusal, RelatedObject } from '@scrip/metadata-schemas';
