import { newId, type RequestContext } from '@scrip/kernel';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import { type ItemOutcome, outcomeOf } from '@scrip/tasks';
import type { EntityManager } from 'typeorm';
import { catalogRefusals } from '../catalog.refusals';
import type { UpsertProductItem, UpsertProducts } from '../product/upsert-products';

/** A product of a task, named by its source id. */
export type ProductItem = Omit<UpsertProductItem, 'new_id'>;

/** Upserts products of a task; an outcome for each. */
export const storeProducts = async (
  products: UpsertProducts,
  manager: EntityManager,
  context: RequestContext,
  items: readonly ProductItem[],
  check: CheckMetadata,
): Promise<ItemOutcome[]> => {
  const set = items.map((item) => ({ ...item, new_id: newId('prod_') }));
  const upserted = await products.upsertIn(manager, context, set, check);
  return upserted.map((answer) => outcomeOf(answer, [catalogRefusals]));
};
