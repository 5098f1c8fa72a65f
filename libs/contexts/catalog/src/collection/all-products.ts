import type { ProductCollectionSnapshot } from '@scrip/contracts/catalog';

/** The collection that every project has from the beginning: all products and SKUs, and whatever else the items of a request
 *  name. It is stored nowhere and cannot be changed. Source: reference 07 §7. */
export const allProducts: ProductCollectionSnapshot = {
  id: 'pc_a11pr0dUc75',
  name: 'All Products',
  type: 'AUTO_UPDATE',
  filter: { junction: 'and' },
  products: null,
  created_at: '1970-01-01T00:00:00.000Z',
  updated_at: null,
};
