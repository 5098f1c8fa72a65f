import type { ProductEvent } from '@scrip/contracts/catalog';
import { type Decision, runQuery } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import { removeEntriesBelow } from '@scrip/trash-bin';
import type { EntityManager } from 'typeorm';
import type { ProductState } from './product.decider';

/** Where a product's decision is made: under its lock, which also keeps its SKUs as they are. */
interface UnderLock {
  context: RequestContext;
  /** Before the decision. */
  state: ProductState | undefined;
  read: EntityManager;
}

const droppedAttributes = (state: ProductState | undefined, event: ProductEvent): string[] => {
  if (event.type !== 'ProductUpdated' || state?.status !== 'LIVE') return [];
  const kept = event.data.product.attributes;
  return state.product.attributes.filter((key) => !kept.includes(key));
};

const deletedForGood = (event: ProductEvent): string | null => {
  if (event.type === 'ProductPurged' || (event.type === 'ProductDeleted' && event.data.permanent))
    return event.data.product.id;
  return null;
};

// However many they are: one statement, and one event for all (ADR 112).
const dropSql = `
  WITH changed AS (
    UPDATE skus SET updated_at = ($4::text)::timestamptz, snapshot = snapshot || jsonb_build_object(
      'attributes', (snapshot->'attributes') - $3::text[], 'updated_at', $4::text)
    WHERE project_id = $1 AND product_id = $2 AND status = 'LIVE' AND snapshot->'attributes' ?| $3::text[]
    RETURNING 1)
  SELECT count(*)::int AS skus FROM changed`;

/** Adds to the decision on a product what it does to its SKUs: an attribute that is no longer declared loses its values,
 *  and a permanent deletion or a purge takes the SKUs along, with their entries in the bin. Each is one statement in the
 *  transaction of the decision. Source: reference 07 §6. */
export const withSkus = async <Answer>(
  decision: Decision<ProductEvent, Answer>,
  { context: { project }, state, read }: UnderLock,
): Promise<Decision<ProductEvent, Answer>> => {
  const [event] = decision.events;
  if (!event) return decision;
  const gone = deletedForGood(event);
  if (gone !== null) {
    // In the transaction of the event: one statement each, however many there are.
    await runQuery(read, 'DELETE FROM skus WHERE project_id = $1 AND product_id = $2', [project.id, gone]);
    await removeEntriesBelow(read, project.id, gone);
    return decision;
  }
  const dropped = droppedAttributes(state, event);
  if (dropped.length === 0 || event.type !== 'ProductUpdated') return decision;
  const { id: product_id, updated_at } = event.data.product;
  const [row] = await runQuery<{ skus: number }>(read, dropSql, [
    project.id,
    product_id,
    dropped,
    updated_at,
  ]);
  if (!row?.skus) return decision;
  const data = { product_id, attributes: dropped, updated_at: updated_at! };
  return { ...decision, events: [...decision.events, { type: 'ProductAttributesDropped', data }] };
};
