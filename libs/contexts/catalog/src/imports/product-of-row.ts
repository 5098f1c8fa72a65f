import { readInput } from '@scrip/edge';
import type { RowValues } from '@scrip/tasks/imports';
import type { ProductFields } from '../product/product.commands';
import { ProductUpsertBody } from '../product/product.dto';
import { priceOf } from './price-of-cell';
import { refuseRow } from './refuse-row';

/** A product as a row tells it. */
export interface RowOfProduct {
  source_id: string | null;
  fields: ProductFields & { name: string };
}

const listOf = (cell: string): string[] =>
  cell
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');

/** The product that a row of a file tells. Throws `EdgeFailure` (400), naming the column. Source: reference 07 §11. */
export const productOfRow = ({ fields, metadata }: RowValues): RowOfProduct => {
  const { name, source_id, price, attributes, image_url } = fields;
  if (name === undefined) throw refuseRow('name is required');
  const body = readInput(
    ProductUpsertBody,
    {
      name,
      ...(source_id === undefined ? {} : { source_id }),
      ...priceOf(price),
      ...(attributes === undefined ? {} : { attributes: listOf(attributes) }),
      ...(image_url === undefined ? {} : { image_url }),
      metadata,
    },
    'body',
  );
  return {
    source_id: body.source_id ?? null,
    fields: {
      name,
      ...(body.price == null ? {} : { price: body.price }),
      ...(body.attributes ? { attributes: body.attributes } : {}),
      ...(body.image_url ? { image_url: body.image_url } : {}),
      metadata: body.metadata ?? {},
    },
  };
};
