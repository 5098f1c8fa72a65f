export { catalogContext } from './catalog.module';
export { CatalogSeed, type SeededProduct } from './seeding/catalog-seed';
