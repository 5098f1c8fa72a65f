import type { CustomerErasure } from '@scrip/contracts/customers';
import type { EntityManager } from 'typeorm';

type Counts = Required<Omit<CustomerErasure, 'id' | 'erased_at'>>;

interface CountRow {
  events: string;
  customer_events: string;
  segments: string;
  orders: string;
  order_events: string;
}

/** What an erasure of a customer deletes or makes unreadable: a stream has as many events as its version says. */
export const erasedCounts = async (
  read: EntityManager,
  projectId: string,
  customerId: string,
): Promise<Counts> => {
  const [row] = await read.query<CountRow[]>(
    `SELECT c.version AS customer_events,
       (SELECT count(*) FROM customer_activities a WHERE a.project_id = $1 AND a.customer_id = $2) AS events,
       (SELECT count(*) FROM segment_members m WHERE m.project_id = $1 AND m.customer_id = $2) AS segments,
       count(o.id) AS orders, coalesce(sum(o.version), 0) AS order_events
     FROM customers c LEFT JOIN orders o ON o.project_id = c.project_id AND o.customer_id = c.id
     WHERE c.project_id = $1 AND c.id = $2 GROUP BY c.version`,
    [projectId, customerId],
  );
  return {
    events: Number(row?.events ?? 0),
    customer_events: Number(row?.customer_events ?? 0),
    segments: Number(row?.segments ?? 0),
    orders: Number(row?.orders ?? 0),
    order_events: Number(row?.order_events ?? 0),
  };
};
