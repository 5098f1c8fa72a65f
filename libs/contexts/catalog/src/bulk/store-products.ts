import { failureOfRefusal } from '@scrip/edge';
import { isRefused, newId, type RequestContext } from '@scrip/kernel';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import type { ItemOutcome } from '@scrip/tasks';
import type { EntityManager } from 'typeorm';
import { type CatalogRefusal, catalogRefusals } from '../catalog.refusals';
import type { UpsertedProduct, UpsertProductItem, UpsertProducts } from '../product/upsert-products';

/** A product of a task, named by its source id. */
export type ProductItem = Omit<UpsertProductItem, 'new_id'>;

const outcomeOf = (upserted: UpsertedProduct | CatalogRefusal): ItemOutcome => {
  if (!isRefused(upserted)) return { found: upserted.found, updated: upserted.updated };
  const { key = '', message, details = '' } = failureOfRefusal(upserted, [catalogRefusals]);
  return { found: false, updated: false, failure: { key, message, details } };
};

/** Upserts products of a task; an outcome for each. */
export const storeProducts = async (
  products: UpsertProducts,
  manager: EntityManager,
  context: RequestContext,
  items: readonly ProductItem[],
  check: CheckMetadata,
): Promise<ItemOutcome[]> => {
  const set = items.map((item) => ({ ...item, new_id: newId('prod_') }));
  return (await products.upsertIn(manager, context, set, check)).map(outcomeOf);
};
