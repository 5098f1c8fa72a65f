import type { ImportColumns } from '@scrip/tasks/imports';

/** The columns of a file of SKUs. Source: reference 07 §11. */
export const skuColumns: ImportColumns = {
  standard: [
    { names: ['product_id'], field: 'product_id', required: true },
    { names: ['source_id'], field: 'source_id', required: true },
    { names: ['sku'], field: 'sku' },
    { names: ['price'], field: 'price' },
    { names: ['image_url'], field: 'image_url' },
    { names: ['attributes'], field: 'attributes' },
  ],
};
