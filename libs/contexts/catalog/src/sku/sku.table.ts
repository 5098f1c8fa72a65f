import type { SkuSnapshot } from '@scrip/contracts/catalog';
import type { RowChange, SideRows, SqlValue } from '@scrip/event-store';
import type { SkuEvent, StoredSku } from './sku.decider';

/** A row of `skus`, as commands read it under the lock of its product. */
interface SkuRow {
  project_id: string;
  id: string;
  status: StoredSku['status'];
  snapshot: SkuSnapshot;
}

/** The rows of SKUs beside the stream of their product. */
export const skuRows: SideRows<SkuRow> = {
  table: 'skus',
  key: ['project_id', 'id'],
  load: (read, { projectId }, ids) =>
    read<SkuRow>({
      text: 'SELECT project_id, id, status, snapshot FROM skus WHERE project_id = $1 AND id = ANY($2)',
      values: [projectId, ids],
    }),
  idOf: ({ id }) => id,
};

/** What a row stores. */
export const storedIn = (row: SkuRow | undefined): StoredSku | undefined =>
  row && { status: row.status, sku: row.snapshot };

const columnsOf = (sku: SkuSnapshot, status: StoredSku['status']): Record<string, SqlValue> => {
  const { product_id, source_id, created_at, updated_at } = sku;
  return { product_id, source_id, status, sku: sku.sku, snapshot: sku, created_at, updated_at };
};

/** The row that an event makes of its SKU's. */
export const rowChangeOf = (projectId: string, event: SkuEvent): RowChange => {
  const { sku } = event.data;
  const key = { project_id: projectId, id: sku.id };
  switch (event.type) {
    case 'SkuCreated':
      return { insert: 'skus', values: { ...key, ...columnsOf(sku, 'LIVE') } };
    case 'SkuUpdated':
      return { update: 'skus', key, set: columnsOf(sku, 'LIVE') };
    case 'SkuDeleted':
      return event.data.permanent
        ? { delete: 'skus', key }
        : { update: 'skus', key, set: columnsOf(sku, 'BINNED') };
    case 'SkuPurged':
      return { delete: 'skus', key };
    default:
      return event satisfies never;
  }
};
