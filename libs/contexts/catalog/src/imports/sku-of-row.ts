import { readInput } from '@scrip/edge';
import type { RowValues } from '@scrip/tasks/imports';
import { longestName } from '../product/product.dto';
import type { SkuFields } from '../sku/sku.commands';
import { SkuUpsertBody } from '../sku/sku.dto';
import { attributesOf } from './attributes-of-cell';
import { priceOf } from './price-of-cell';
import { refuseRow } from './refuse-row';

/** A SKU as a row tells it. */
export interface RowOfSku {
  /** The id or source id of its product. */
  product: string;
  source_id: string;
  fields: SkuFields;
}

/** The SKU that a row of a file tells. Throws `EdgeFailure` (400), naming the column. Source: reference 07 §11. */
export const skuOfRow = ({ fields, metadata }: RowValues): RowOfSku => {
  const { product_id, source_id, sku, price, attributes, image_url } = fields;
  if (product_id === undefined) throw refuseRow('product_id is required');
  if (source_id === undefined) throw refuseRow('source_id is required');
  if (product_id.length > longestName)
    throw refuseRow(`Property .product_id should NOT be longer than ${longestName} characters`);
  const body = readInput(
    SkuUpsertBody,
    {
      source_id,
      ...(sku === undefined ? {} : { sku }),
      ...priceOf(price),
      ...(attributes === undefined ? {} : { attributes: attributesOf(attributes) }),
      ...(image_url === undefined ? {} : { image_url }),
      metadata,
    },
    'body',
  );
  return {
    product: product_id,
    source_id,
    fields: {
      ...(body.sku ? { sku: body.sku } : {}),
      ...(body.price == null ? {} : { price: body.price }),
      ...(body.attributes ? { attributes: body.attributes } : {}),
      ...(body.image_url ? { image_url: body.image_url } : {}),
      metadata: body.metadata ?? {},
    },
  };
};
