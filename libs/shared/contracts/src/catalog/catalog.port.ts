import { type LocationUsersPort, locationUsersMethods } from '../auth/location-users.port';
import { exportsMethods, type ExportsPort } from '../operations/exports.port';
import { definePort, type Refusal, type RequestContext } from '@scrip/kernel';
import { tasksMethods, type TasksPort } from '../operations/tasks.port';
import { trashBinMethods, type TrashBinPort } from '../operations/trash-bin.port';
import type { RenamedResource, RestoredResources } from '../kept-resources';
import type { CatalogReferences, KeptCatalog } from './kept-catalog';
import type { ProductSnapshot, SkuSnapshot } from './product.snapshot';

/** How an order's item names a product or a SKU: by id, else by source id. */
export interface CatalogName {
  id?: string | null;
  source_id?: string | null;
}

/** What an order's item names; either may be absent. */
export interface CatalogItemNames {
  product?: CatalogName | null;
  sku?: CatalogName | null;
}

/** What an order's item says of a product or a SKU, and whether that is to be stored. */
export interface CatalogOverride<Fields> extends CatalogName {
  override?: boolean | null;
  /** What replaces the stored values; absent fields stay. Counts with `override` only. */
  fields?: Fields;
}

/** An order's item with what it says of its records. */
export interface CatalogItemOverride {
  product?: CatalogOverride<Partial<Pick<ProductSnapshot, 'name' | 'price' | 'metadata'>>> | null;
  sku?: CatalogOverride<Partial<Pick<SkuSnapshot, 'sku' | 'price' | 'metadata'>>> | null;
}

/** What is stored of a product that an item names. `price`: minor units. */
export type CatalogProduct = Pick<ProductSnapshot, 'id' | 'source_id' | 'name' | 'price' | 'metadata'>;

/** What is stored of a SKU that an item names. `price`: minor units; `metadata`: its own, without its product's. */
export type CatalogSku = Pick<SkuSnapshot, 'id' | 'source_id' | 'product_id' | 'sku' | 'price' | 'metadata'>;

/** The live records that an item names, null where there is none. Beside a SKU stands the product it belongs to, whatever
 *  product the item names. */
export interface CatalogItem {
  product: CatalogProduct | null;
  sku: CatalogSku | null;
}

/** The collections, of those that were asked for, that the records of an item belong to. */
export interface ItemCollections {
  /** Of the product that the item names, or that its SKU belongs to. */
  product: string[];
  /** Of the SKU that the item names. */
  sku: string[];
}

/** What other contexts may ask of the catalog. Source: architecture §7. */
export interface CatalogPort extends ExportsPort, TasksPort, LocationUsersPort, TrashBinPort {
  /** Returns what the items of an order name, in their order, by one statement: of the first items, as many as fit one answer
   *  between services, at least one. Refuses nothing: an item whose records are unknown or deleted uses what it says itself.
   *  Source: reference 07 §5. */
  resolveItems(
    context: RequestContext,
    request: { items: readonly CatalogItemNames[] },
  ): Promise<CatalogItem[]>;

  /** Stores what items say with `override`, by source id: a product, then the SKU, whose product is named too or is the one it
   *  has. Then returns what the items name, as `resolveItems` does. Of several items for one source id the last counts.
   *  Refuses `forbidden` for a caller with a client-side key. Else refuses nothing: without a source id, without a product for a SKU, for what is in the bin and for a SKU name that another
   *  SKU of the product has, nothing is stored. A SKU that is stored stays in its product. May be repeated. Source: reference 07 §5. */
  overrideItems(
    context: RequestContext,
    request: { items: readonly CatalogItemOverride[] },
  ): Promise<CatalogItem[] | Refusal<'forbidden'>>;

  /** Returns which of the collections the items of an order belong to, in the order of the items: tested now, by three
   *  statements however many there are. An item whose records are unknown belongs to "All Products" alone, as a product and,
   *  where it names a SKU, as a SKU. Refuses nothing: an unknown collection has no items. `collection_ids`: at most 101.
   *  Source: reference 07 §7. */
  matchCollections(
    context: RequestContext,
    request: { items: readonly CatalogItemNames[]; collection_ids: readonly string[] },
  ): Promise<ItemCollections[]>;

  /** Returns the live records of these ids as they are now; others, and those that every project has, are left out. Refuses
   *  `invalid_payload` for more than `keptBytesMax`. */
  keepRecords(
    context: RequestContext,
    request: { references: CatalogReferences },
  ): Promise<KeptCatalog | Refusal<'invalid_payload'>>;

  /** Finds kept records in the project, and creates those that are missing. A product or SKU of the same id, else source id, is
   *  it, whatever became of it; a collection where its filter or list is the same. May be repeated for a template: what it
   *  created before is found. `renamed`: records of other contexts that filters name. Refuses `resource_in_use` for a record in the
   *  bin, before anything is created, and as creations of these records do. Source: reference 04 §12. */
  restoreRecords(
    context: RequestContext,
    request: { template_id: string; kept: KeptCatalog; renamed: readonly RenamedResource[] },
  ): Promise<RestoredResources | Refusal<RestoreRefusalKey>>;
}

/** What `restoreRecords` refuses with. */
export type RestoreRefusalKey =
  'not_found' | 'duplicate_found' | 'invalid_payload' | 'resource_in_use' | 'metadata_validation_failed';

export const catalogPort = definePort<CatalogPort>('catalog', [
  ...exportsMethods,
  ...locationUsersMethods,
  ...tasksMethods,
  ...trashBinMethods,
  'resolveItems',
  'overrideItems',
  'matchCollections',
  'keepRecords',
  'restoreRecords',
]);
