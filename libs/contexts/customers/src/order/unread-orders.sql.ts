import { runQuery } from '@scrip/event-store';
import type { EntityManager } from 'typeorm';

// A value and no NOT EXISTS: the planner would join the tables as a whole before it takes the first rows.
/** Whether an order is read: that of a deleted customer is not. `project`, `customer`: SQL of the ids that the order names.
 *  Source: reference 07 §3, ADR 139. */
export const isRead = (project: string, customer: string): string =>
  `coalesce((SELECT false FROM customers d
     WHERE d.project_id = ${project} AND d.id = ${customer} AND d.deleted_at IS NOT NULL), true)`;

/** Deleted customers of a project whose ids a list reads at once; of more of them it looks for that of each order. */
const fewDeleted = 50_000;

/** As `isRead`, for many orders of one project. `project`: SQL of its id, the same for all of them. `few`: so many deleted customers are
 *  read at once. */
export const areRead = (project: string, customer: string, few = fewDeleted): string => {
  const deleted = `FROM customers d WHERE d.project_id = ${project} AND d.deleted_at IS NOT NULL`;
  return `CASE
     WHEN (SELECT count(*) FROM (SELECT ${deleted} LIMIT ${few + 1}) f) > ${few}
     THEN ${isRead(project, customer)}
     ELSE ${customer} IS NULL OR ${customer} NOT IN (SELECT d.id ${deleted}) END`;
};

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
