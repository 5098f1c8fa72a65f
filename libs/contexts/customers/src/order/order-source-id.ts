import type { OrderSnapshot } from '@scrip/contracts/customers';
import { type RowChange, runQuery } from '@scrip/event-store';
import type { EntityManager } from 'typeorm';

// A claim on a new order keeps its source id, for its index meets claims whose statement began before an order was
// committed. An order of a call has no claim, so this row keeps its source id. Source: ADR 62, ADR 76.
const keeping = (projectId: string, order: OrderSnapshot): RowChange => ({
  insert: 'order_claims',
  values: {
    project_id: projectId,
    object_id: order.id,
    claim_id: 'source_id',
    redemption_id: '',
    state: 'NAMING',
    source_id: order.source_id,
  },
});

/** Returns the row that keeps the source id of an order which a call creates. */
export const sourceIdOfNew = (projectId: string, order: OrderSnapshot): RowChange[] =>
  order.source_id === null ? [] : [keeping(projectId, order)];

/** Returns the change of the row that keeps an order's source id, where that changes; `read` under the order's lock. */
export const sourceIdOfChanged = async (
  projectId: string,
  { before, after }: { before: OrderSnapshot; after: OrderSnapshot },
  read: EntityManager,
): Promise<RowChange[]> => {
  if (before.source_id === after.source_id) return [];
  const [kept] = await runQuery<{ claim_id: string }>(
    read,
    `SELECT claim_id FROM order_claims
     WHERE project_id = $1 AND object_id = $2 AND (state = 'NAMING' OR source_id = $3 AND state <> 'REVERTED')
     ORDER BY state = 'NAMING' LIMIT 1`,
    [projectId, before.id, before.source_id],
  );
  if (!kept) return sourceIdOfNew(projectId, after);
  const key = { project_id: projectId, object_id: before.id, claim_id: kept.claim_id };
  return [{ update: 'order_claims', key, set: { source_id: after.source_id } }];
};
