import type { EntityManager } from 'typeorm';
import { retestsOf } from '../segment/retest.table';
import { type RedemptionCounts, redemptionCountNames } from './redemption-summary';

/** What redemptions add to the summary of one customer. */
export type AddedRedemptions = RedemptionCounts & { project_id: string; customer_id: string };

const names = redemptionCountNames.join(', ');

const addSql = `
  WITH added AS (
    SELECT project_id, customer_id, ${redemptionCountNames.map((name) => `sum(${name})::bigint AS ${name}`).join(', ')}
    FROM jsonb_populate_recordset(NULL::customer_redemption_summaries, $1::jsonb) GROUP BY project_id, customer_id
  ), retests AS (${retestsOf('added')})
  INSERT INTO customer_redemption_summaries AS t (project_id, customer_id, ${names})
  SELECT project_id, customer_id, ${names} FROM added ORDER BY project_id, customer_id
  ON CONFLICT (project_id, customer_id) DO UPDATE
    SET ${redemptionCountNames.map((name) => `${name} = t.${name} + excluded.${name}`).join(', ')}`;

/** Adds to the summaries of customers; a customer may come more than once. */
export const addRedemptions = async (
  manager: EntityManager,
  added: readonly AddedRedemptions[],
): Promise<void> => {
  if (added.length > 0) await manager.query(addSql, [JSON.stringify(added)]);
};
