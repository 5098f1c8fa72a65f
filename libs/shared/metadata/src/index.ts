export { MetadataSchemas } from './metadata-schemas';
