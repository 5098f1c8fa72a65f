import type { MigrationClass } from '@scrip/event-store';
import { CatalogHasABin1800000002500 } from './catalog-has-a-bin.migration';
import { CatalogHasTasks1800000002300 } from './catalog-has-tasks.migration';
import { CreateCollections1800000001000 } from './create-collections.migration';
import { CreateProducts1797100000000 } from './create-products.migration';
import { ProductsAreFilteredInIndexes1800000002150 } from './products-are-filtered-in-indexes.migration';

/** The schema of the context `catalog`. */
export const catalogMigrations: MigrationClass[] = [
  CreateProducts1797100000000,
  CreateCollections1800000001000,
  ProductsAreFilteredInIndexes1800000002150,
  CatalogHasTasks1800000002300,
  CatalogHasABin1800000002500,
];
