import { Module } from '@nestjs/common';
import { catalogPort } from '@scrip/contracts/catalog';
import { exportsOfContext } from '@scrip/exports';
import { servePort } from '@scrip/rpc';
import type { ContextDefinition } from '@scrip/service';
import { batchKeysColumn } from '@scrip/tasks';
import { binOfContext } from '@scrip/trash-bin';
import { CatalogBin } from './trash-bin/catalog-bin.handlers';
import { BulkHttp } from './bulk/bulk.http';
import { catalogTasks } from './bulk/catalog-tasks';
import { CatalogPortHandlers } from './catalog.port-handlers';
import { CollectionConsumer } from './collection/collection.consumer';
import { CollectionHandlers } from './collection/collection.handlers';
import { CollectionHttp } from './collection/collection.http';
import { CollectionItems } from './collection/collection-items';
import { collectionJobs } from './collection/collection.jobs';
import { CollectionRemovalJob } from './collection/collection-removal.job';
import { CollectionLocations } from './collection/collection-locations';
import { CollectionReads } from './collection/collection.reads';
import { FilterContexts, LocationMatcher, MetadataSchemas } from '@scrip/metadata';
import { NamedDeletions } from './deletion/named-deletions';
import { ItemCollectionsReads } from './collection/item-collections.reads';
import { LocatedRecords } from './exports/located-records';
import { ProductExport } from './exports/product.export';
import { SkuExport } from './exports/sku.export';
import { ImportHttp } from './imports/import.http';
import { SkuImportHttp } from './imports/sku-import.http';
import { ItemOverrides } from './item/item-overrides';
import { ItemReads } from './item/item.reads';
import { KeptRecordsReads } from './template-records/kept-records.reads';
import { RestoreRecords } from './template-records/restore-records';
import { ProductHandlers } from './product/product.handlers';
import { ProductHttp } from './product/product.http';
import { ProductReads } from './product/product.reads';
import { UpsertProducts } from './product/upsert-products';
import { CatalogSeed } from './seeding/catalog-seed';
import { SkuHandlers } from './sku/sku.handlers';
import { SkuHttp } from './sku/sku.http';
import { SkuReads } from './sku/sku.reads';
import { UpsertSkus } from './sku/upsert-skus';
import { catalogMigrations } from './migrations';

@Module({
  controllers: [
    BulkHttp,
    ImportHttp,
    SkuImportHttp,
    ProductHttp,
    SkuHttp,
    CollectionHttp,
    CollectionConsumer,
    ...catalogTasks.controllers,
  ],
  providers: [
    ...binOfContext('catalog'),
    ...exportsOfContext('catalog', [ProductExport, SkuExport]),
    MetadataSchemas,
    servePort(catalogPort, CatalogPortHandlers),
    CatalogBin,
    CatalogSeed,
    CollectionHandlers,
    CollectionItems,
    CollectionRemovalJob,
    collectionJobs.jobs,
    CollectionReads,
    FilterContexts,
    LocatedRecords,
    CollectionLocations,
    LocationMatcher,
    NamedDeletions,
    ItemCollectionsReads,
    ItemOverrides,
    ItemReads,
    KeptRecordsReads,
    RestoreRecords,
    ProductHandlers,
    ProductReads,
    SkuHandlers,
    SkuReads,
    UpsertProducts,
    UpsertSkus,
    ...catalogTasks.providers,
  ],
})
class CatalogModule {}

/** The catalog, as a process boots it. */
export const catalogContext: ContextDefinition = {
  name: 'catalog',
  module: CatalogModule,
  migrations: catalogMigrations,
  sealed: [batchKeysColumn],
  jobs: true,
};
