import { Catalogue } from '@scrip/order-calculation';
import { type InputProblem, below } from './input-problem';
import type { CatalogueEntries } from './request-file';

/** SKUs of collections that the file does not list: their products are unknown. */
export const catalogueProblems = ({ skus = [], collections = [] }: CatalogueEntries): InputProblem[] =>
  collections.flatMap(({ skus: members = [] }, position) =>
    members.flatMap((id, index) => {
      const path = below(below(below('catalogue.collections', position), 'skus'), index);
      return skus.some((sku) => sku.id === id) ? [] : [{ path, message: `catalogue.skus has no ${id}` }];
    }),
  );

/** The catalogue that a file describes. SKUs and collections may name products that are not listed. */
export const readCatalogue = ({
  products = [],
  skus = [],
  collections = [],
}: CatalogueEntries): Catalogue => {
  const collectionsOf = (kind: 'products' | 'skus', id: string): string[] =>
    collections.filter((collection) => collection[kind]?.includes(id)).map((collection) => collection.id);
  const productOf = (id: string) => ({
    ...(products.find((product) => product.id === id) ?? { id }),
    collections: collectionsOf('products', id),
  });
  const listed = products.map(({ id }) => id);
  const collected = collections.flatMap((collection) => collection.products ?? []);
  return new Catalogue({
    products: [...new Set([...listed, ...collected])].map(productOf),
    skus: skus.map(({ product_id: productId, ...sku }) => ({
      ...sku,
      collections: collectionsOf('skus', sku.id),
      product: productOf(productId),
    })),
  });
};
