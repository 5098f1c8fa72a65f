import type { ProductSnapshot, SkuSnapshot } from '@scrip/contracts/catalog';

/** A shirt as it was created; further fields as given. */
export const productSnapshot = (fields: Partial<ProductSnapshot> = {}): ProductSnapshot => ({
  id: 'prod_1',
  source_id: 'shirt',
  name: 'Shirt',
  price: 2_500,
  attributes: ['color', 'size'],
  metadata: { season: 'spring' },
  image_url: 'https://shop.example.com/shirt.png',
  created_at: '2026-03-31T10:00:00.000Z',
  updated_at: null,
  ...fields,
});

/** A blue shirt as it was created; further fields as given. */
export const skuSnapshot = (fields: Partial<SkuSnapshot> = {}): SkuSnapshot => ({
  id: 'sku_1',
  source_id: 'shirt-blue',
  product_id: 'prod_1',
  sku: 'Blue shirt',
  price: 2_700,
  currency: 'EUR',
  attributes: { color: 'blue' },
  metadata: { stock: 3 },
  image_url: null,
  created_at: '2026-03-31T10:00:00.000Z',
  updated_at: null,
  ...fields,
});
