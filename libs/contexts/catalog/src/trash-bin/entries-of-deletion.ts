import type { ProductEvent } from '@scrip/contracts/catalog';
import type { BinEntry } from '@scrip/contracts/operations';
import type { RowChange } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import { entryAdded } from '@scrip/trash-bin';
import type { Deletion } from '../deletion.query';

type OfRecord = Pick<BinEntry, 'created_at' | (`resource_${string}` & keyof BinEntry)>;

const recordOf = (event: ProductEvent): OfRecord | null => {
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

/** The entry of what a call deletes, written with its event; none where it is deleted for good. Source: reference 07
 *  §13. */
export const entriesOf = (
  { project, user }: RequestContext,
  { bin_entry_id: id }: Deletion,
  events: readonly ProductEvent[],
): RowChange[] => {
  if (id === null) return [];
  return events.flatMap((event) => {
    const record = recordOf(event);
    return record ? entryAdded(project.id, { id, deleted_by_user_id: user?.id ?? null, ...record }) : [];
  });
};
