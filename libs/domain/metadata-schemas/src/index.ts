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
export { type MetadataRule, changedRecord, metadataMustFit } from './changed-record';
export { type DefinitionProblem, definitionProblem } from './definition-problem';
export { type OrderChecks, type WrittenOrder, orderMetadataRefusal } from './order-metadata';
