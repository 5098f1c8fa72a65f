import type { RegisteredContext } from '../registered-context';
import { bulk, server, upload } from '../route-row';
import { topic } from '../topic';

export const catalog = {
  name: 'catalog',
  owns: 'products, their SKUs, and collections of them',
  topics: {
    product: topic('catalog', 'product'),
    catalogTask: topic('catalog', 'task'),
    productCollection: topic('catalog', 'product-collection'),
  },
  routes: [
    server('POST /v1/products', 'products'),
    upload('POST /v1/products/importCSV', 'products'),
    server('GET /v1/products', 'products'),
    server('GET /v1/products/{productId}', 'products'),
    server('PUT /v1/products/{productId}', 'products'),
    server('POST /v1/products/{productId}/skus', 'products'),
    server('GET /v1/products/{productId}/skus', 'products'),
    server('PUT /v1/products/{productId}/skus/{skuId}', 'products'),
    server('DELETE /v1/products/{productId}/skus/{skuId}', 'products'),
    server('DELETE /v1/products/{productId}', 'products'),
    bulk('POST /v1/products/bulk/async', 'products'),
    bulk('POST /v1/products/metadata/async', 'products'),
    server('GET /v1/skus/{skuId}', 'skus'),
    upload('POST /v1/skus/importCSV', 'skus'),
    server('POST /v1/product-collections', 'product-collections'),
    server('GET /v1/product-collections', 'product-collections'),
    server('GET /v1/product-collections/{productCollectionId}', 'product-collections'),
    server('PUT /v1/product-collections/{productCollectionId}', 'product-collections'),
    server('DELETE /v1/product-collections/{productCollectionId}', 'product-collections'),
    server('GET /v1/product-collections/{productCollectionId}/products', 'product-collections'),
  ],
} as const satisfies RegisteredContext;
