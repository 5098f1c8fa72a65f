import type { ProductEvent } from '@scrip/contracts/catalog';
import type { RowChange } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import { type DeletedRecord, type Deletion, entryOfDeletion } from '@scrip/trash-bin';

const recordOf = (event: ProductEvent): DeletedRecord | null => {
  if (event.type === 'ProductDeleted') {
    const { product, deleted_at } = event.data;
    return {
      created_at: deleted_at,
      resource_id: product.id,
      resource_type: 'product',
      resource_name: product.name ?? product.source_id ?? product.id,
      resource_parent_id: null,
    };
  }
  if (event.type !== 'SkuDeleted') return null;
  const { sku, deleted_at } = event.data;
  return {
    created_at: deleted_at,
    resource_id: sku.id,
    resource_type: 'sku',
    resource_name: sku.sku ?? sku.source_id ?? sku.id,
    resource_parent_id: sku.product_id,
  };
};

/** The entries of what a call deletes, written with its events. Source: reference 07 §13. */
export const entriesOf = (
  context: RequestContext,
  deletion: Deletion,
  events: readonly ProductEvent[],
): RowChange[] =>
  events.flatMap((event) => {
    const record = recordOf(event);
    return record ? entryOfDeletion(context, deletion, record) : [];
  });
