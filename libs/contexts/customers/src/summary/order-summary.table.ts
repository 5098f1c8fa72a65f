import type { OrderSnapshot } from '@scrip/contracts/customers';
import type { EntityManager } from 'typeorm';
import { retestsOf } from '../segment/retest.table';

/** What an order counts for, as its newest event leaves it. */
export interface CountedOrder {
  project_id: string;
  order_id: string;
  version: number;
  customer_id: string;
  /** Minor units; null where it does not count. */
  amount: number | null;
  ordered_at: string;
}

const isCounted = ({ status }: OrderSnapshot): boolean => status === 'PAID' || status === 'FULFILLED';

/** Returns what an order counts for; null of an order without a customer. Source: reference 07 §3. */
export const countedOrder = (
  project_id: string,
  version: number,
  order: OrderSnapshot,
): CountedOrder | null =>
  order.customer_id === null
    ? null
    : {
        project_id,
        order_id: order.id,
        version,
        customer_id: order.customer_id,
        amount: isCounted(order) ? (order.total_amount ?? 0) : null,
        ordered_at: order.created_at,
      };

// Sums move by the difference to what the order counted for before. The newest order can only be looked up again once the rows of
// all orders are written, and only has to be where it ceased to count for the customer.
const storeSql = `
  WITH sent AS (
    SELECT s.*, b.customer_id AS customer_before, b.amount AS amount_before
    FROM jsonb_populate_recordset(NULL::customer_orders, $1::jsonb) s
    LEFT JOIN customer_orders b ON b.project_id = s.project_id AND b.order_id = s.order_id
    WHERE b.version IS NULL OR b.version < s.version
  ), stored AS (
    INSERT INTO customer_orders (project_id, order_id, version, customer_id, amount, ordered_at)
    SELECT project_id, order_id, version, customer_id, amount, ordered_at FROM sent
    ON CONFLICT (project_id, order_id) DO UPDATE
      SET version = excluded.version, customer_id = excluded.customer_id, amount = excluded.amount
  ), changes AS (
    SELECT project_id, customer_id, amount, 1 AS count, order_id, ordered_at FROM sent WHERE amount IS NOT NULL
    UNION ALL
    SELECT project_id, customer_before, -amount_before, -1, NULL, NULL FROM sent WHERE amount_before IS NOT NULL
  ), changed AS (
    SELECT project_id, customer_id, sum(amount)::bigint AS amount, sum(count)::bigint AS count,
      (array_agg(amount ORDER BY ordered_at DESC, order_id DESC) FILTER (WHERE order_id IS NOT NULL))[1] AS last_amount,
      (array_agg(order_id ORDER BY ordered_at DESC, order_id DESC) FILTER (WHERE order_id IS NOT NULL))[1] AS last_id,
      max(ordered_at) AS last_at
    FROM changes GROUP BY project_id, customer_id
  ), summed AS (
    INSERT INTO customer_order_summaries AS t
      (project_id, customer_id, total_amount, total_count, last_order_id, last_order_amount, last_order_at)
    SELECT project_id, customer_id, amount, count, last_id, last_amount, last_at
    FROM changed ORDER BY project_id, customer_id
    ON CONFLICT (project_id, customer_id) DO UPDATE SET
      total_amount = t.total_amount + excluded.total_amount,
      total_count = t.total_count + excluded.total_count,
      (last_order_id, last_order_amount, last_order_at) = (
        SELECT n.id, n.amount, n.at
        FROM (VALUES
          (excluded.last_order_id, excluded.last_order_amount, excluded.last_order_at),
          (t.last_order_id, t.last_order_amount, t.last_order_at)) n(id, amount, at)
        ORDER BY n.at DESC NULLS LAST, n.id DESC, n.id IS NOT DISTINCT FROM excluded.last_order_id DESC LIMIT 1)
  ), retests AS (${retestsOf('changed')})
  SELECT s.project_id, s.customer_before AS customer_id FROM sent s
  WHERE s.amount_before IS NOT NULL AND (s.amount IS NULL OR s.customer_id <> s.customer_before)`;

const lookUpLastSql = `
  UPDATE customer_order_summaries t
  SET last_order_id = o.order_id, last_order_amount = o.amount, last_order_at = o.ordered_at
  FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[])) q(project_id, customer_id)
  LEFT JOIN LATERAL (
    SELECT order_id, amount, ordered_at FROM customer_orders n
    WHERE n.project_id = q.project_id AND n.customer_id = q.customer_id AND n.amount IS NOT NULL
    ORDER BY n.ordered_at DESC, n.order_id DESC LIMIT 1) o ON true
  WHERE t.project_id = q.project_id AND t.customer_id = q.customer_id`;

/** Stores what orders count for; each order once, as its newest event leaves it. */
export const storeCountedOrders = async (
  manager: EntityManager,
  orders: readonly CountedOrder[],
): Promise<void> => {
  if (orders.length === 0) return;
  const ceased = await manager.query<{ project_id: string; customer_id: string }[]>(storeSql, [
    JSON.stringify(orders),
  ]);
  if (ceased.length === 0) return;
  await manager.query(lookUpLastSql, [
    ceased.map(({ project_id }) => project_id),
    ceased.map(({ customer_id }) => customer_id),
  ]);
};
