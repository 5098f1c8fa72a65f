export {
  type MetadataDefinition,
  type MetadataSchema,
  type MetadataType,
  type MetadataTypes,
  type RelatedObject,
  isNestedSchema,
  metadataTypes,
  relatedObjects,
} from './definition';
export {
  type CheckMetadata,
  type CompiledSchema,
  type MetadataRefusal,
  compileSchema,
} from './compile-schema';
export { changedRecord, metadataMustFit } from './changed-record';
export { definitionProblem } from './definition-problem';
export { type OrderChecks, orderMetadataRefusal } from './order-metadata';
