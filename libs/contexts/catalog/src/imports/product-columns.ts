import type { ImportColumns } from '@scrip/tasks/imports';

/** The columns of a file of products. Source: reference 07 §11. */
export const productColumns: ImportColumns = {
  identifier: 'source_id',
  standard: [
    { names: ['name'], field: 'name', required: true },
    { names: ['source_id'], field: 'source_id' },
    { names: ['price'], field: 'price' },
    { names: ['attributes'], field: 'attributes' },
    { names: ['image_url'], field: 'image_url' },
  ],
};
