import { runQuery } from '@scrip/event-store';
import type { EntityManager } from 'typeorm';

// A value and no NOT EXISTS: the planner would join the tables as a whole before it takes the first rows.
/** Whether an order is read: that of a deleted customer is not. `project`, `customer`: SQL of the ids that the order names.
 *  Source: reference 07 §3, ADR 139. */
export const isRead = (project: string, customer: string): string =>
  `coalesce((SELECT false FROM customers d
     WHERE d.project_id = ${project} AND d.id = ${customer} AND d.deleted_at IS NOT NULL), true)`;

/** Whether orders of this customer are read; `read`: the transaction that changes one. */
export const ordersAreRead = async (
  read: EntityManager,
  projectId: string,
  customerId: string | null,
): Promise<boolean> => {
  if (customerId === null) return true;
  const [row] = await runQuery<{ is: boolean }>(read, `SELECT ${isRead('$1', '$2')} AS is`, [
    projectId,
    customerId,
  ]);
  return row!.is;
};
