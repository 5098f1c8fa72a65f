export { type CheckMetadata, MetadataSchemas } from './metadata-schemas';
export type { CompiledSchema, MetadataRefusal, RelatedObject } from '@scrip/metadata-schemas';
export { type OrderChecks, orderMetadataRefusal, type WrittenOrder } from './order-metadata';
