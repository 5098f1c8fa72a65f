import { runQuery } from '@scrip/event-store';
import type { DataSource, EntityManager } from 'typeorm';

/** SQL of what the stream of a campaign `c` does not count: codes that were added singly, by an index of their own, less those of code
 *  orders that were deleted since the stream counted them. Source: ADR 33, ADR 79. */
export const singleCodes = `((SELECT count(*) FROM vouchers v
  WHERE v.project_id = c.project_id AND v.campaign_id = c.id AND v.definition_id IS NULL AND v.deleted_at IS NULL)
  - coalesce((SELECT n.count FROM deleted_codes n WHERE n.project_id = c.project_id AND n.campaign_id = c.id), 0))`;

/** Returns how many codes of a campaign its stream does not count. Source: ADR 33, ADR 79. */
export const countSingleCodes = async (
  on: DataSource | EntityManager,
  projectId: string,
  campaignId: string,
): Promise<number> => {
  const [row] = await runQuery<{ count: string }>(
    on,
    `SELECT ${singleCodes} AS count FROM (SELECT $1::text AS project_id, $2::text AS id) c`,
    [projectId, campaignId],
  );
  return Number(row?.count ?? 0);
};
