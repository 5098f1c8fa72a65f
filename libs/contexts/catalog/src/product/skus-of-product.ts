import type { ProductEvent, SkuSnapshot } from '@scrip/contracts/catalog';
import { type Decision, runQuery } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import type { EntityManager } from 'typeorm';
import { withoutAttributes } from '../sku/sku.decider';
import { rowChangeOf } from '../sku/sku.table';
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

/** Adds to the decision on a product what it does to its SKUs: an attribute that is no longer declared loses its values,
 *  and a permanent deletion takes the SKUs along. Source: reference 07 §6. */
export const withSkus = async <Answer>(
  decision: Decision<ProductEvent, Answer>,
  { context: { project }, state, read }: UnderLock,
): Promise<Decision<ProductEvent, Answer>> => {
  const [event] = decision.events;
  if (!event) return decision;
  if (event.type === 'ProductDeleted' && event.data.permanent) {
    // In the transaction of the event: one statement, however many there are.
    await runQuery(read, 'DELETE FROM skus WHERE project_id = $1 AND product_id = $2', [
      project.id,
      event.data.product.id,
    ]);
    return decision;
  }
  const dropped = droppedAttributes(state, event);
  if (dropped.length === 0 || event.type !== 'ProductUpdated') return decision;
  const { id, updated_at } = event.data.product;
  const skus = await runQuery<{ snapshot: SkuSnapshot }>(
    read,
    `SELECT snapshot FROM skus
     WHERE project_id = $1 AND product_id = $2 AND status = 'LIVE' AND snapshot->'attributes' ?| $3::text[]`,
    [project.id, id, dropped],
  );
  const changes = skus.flatMap(({ snapshot }) => withoutAttributes(snapshot, dropped, updated_at!) ?? []);
  return {
    ...decision,
    events: [...decision.events, ...changes],
    rows: changes.map((change) => rowChangeOf(project.id, change)),
  };
};
