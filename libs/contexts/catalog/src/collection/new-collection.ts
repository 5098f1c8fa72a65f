import type { CollectedRecord, ProductCollectionType } from '@scrip/contracts/catalog';
import type { Metadata } from '@scrip/contracts/snapshot';
import { type Refusal, refuse } from '@scrip/kernel';
import type { FilterContext } from '@scrip/metadata';
import { storedFilter } from '@scrip/list-query';
import { collectionFilterSpec, filterMustFit } from './collection-filter';
import type { CreateCollectionBody } from './collection.dto';

/** What a caller wants of a new collection. */
export interface NewCollection {
  name: string;
  collection_type: ProductCollectionType;
  filter: Metadata | null;
  products: CollectedRecord[] | null;
}

const eachOnce = (products: CreateCollectionBody['products']): CollectedRecord[] => {
  const named = (products ?? []).map(({ id, product_id, object }): CollectedRecord => ({
    id,
    ...(object === 'sku' && product_id ? { product_id } : {}),
    object,
  }));
  return [...new Map(named.map((record) => [`${record.object} ${record.id}`, record])).values()];
};

/** A static collection has what is listed, also nothing; an auto-update one a filter. Refuses one without, and a filter that
 *  does not fit. Source: reference 07 §7. */
export const newCollection = (
  { name, type: collection_type, products, filter }: CreateCollectionBody,
  at: FilterContext,
): NewCollection | Refusal<'invalid_payload'> => {
  if (collection_type === 'STATIC')
    return { name, collection_type, filter: null, products: eachOnce(products) };
  if (!filter) return refuse('invalid_payload', collectionFilterSpec.withoutJunction);
  const refusal = filterMustFit(filter, at);
  return refusal ?? { name, collection_type, filter: storedFilter(filter), products: null };
};
