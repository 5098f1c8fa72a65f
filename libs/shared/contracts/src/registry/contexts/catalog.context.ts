import type { RegisteredContext } from '../registered-context';
import { server } from '../route-row';
import { topic } from '../topic';

export const catalog = {
  name: 'catalog',
  owns: 'products and their SKUs',
  topics: { product: topic('catalog', 'product') },
  routes: [
    server('POST /v1/products', 'products'),
    server('GET /v1/products', 'products'),
    server('GET /v1/products/{productId}', 'products'),
    server('PUT /v1/products/{productId}', 'products'),
    server('POST /v1/products/{productId}/skus', 'products'),
    server('GET /v1/products/{productId}/skus', 'products'),
    server('PUT /v1/products/{productId}/skus/{skuId}', 'products'),
    server('DELETE /v1/products/{productId}/skus/{skuId}', 'products'),
    server('DELETE /v1/products/{productId}', 'products'),
    server('GET /v1/skus/{skuId}', 'skus'),
  ],
} as const satisfies RegisteredContext;
