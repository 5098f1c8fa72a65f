export type {
  CollectedRecord,
  ProductCollectionCreated,
  ProductCollectionDeleted,
  ProductCollectionEvent,
  ProductCollectionSnapshot,
  ProductCollectionType,
  ProductCollectionUpdated,
} from './product-collection.events';
export type { CatalogReferences, KeptCatalog } from './kept-catalog';
export type { ProductSnapshot, SkuSnapshot } from './product.snapshot';
export type {
  ProductAttributesDropped,
  ProductCreated,
  ProductDeleted,
  ProductEvent,
  ProductPurged,
  ProductUpdated,
  SkuCreated,
  SkuDeleted,
  SkuPurged,
  SkuUpdated,
} from './product.events';
export {
  type CatalogItem,
  type CatalogItemNames,
  type CatalogItemOverride,
  type CatalogName,
  type CatalogOverride,
  type CatalogPort,
  type CatalogProduct,
  type CatalogSku,
  type ItemCollections,
  type RestoreRefusalKey,
  catalogPort,
} from './catalog.port';
export {
  catalogueOf,
  collectionsOfLines,
  hasOverrides,
  namedCatalogue,
  namedItems,
  type RecordCollections,
  storedCatalogue,
  storedCatalogues,
  storedItemsOf,
} from './named-catalogue';
