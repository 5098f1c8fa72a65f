import { runQuery } from '@scrip/event-store';
import type { CampaignWrite } from '../campaign/campaign-write';

/** Those of these ids that are of a live tier of the campaign. */
export const liveTiersAmong = async (
  { manager, context, campaign }: CampaignWrite,
  ids: readonly string[],
): Promise<Set<string>> => {
  const rows = await runQuery<{ id: string }>(
    manager,
    `SELECT id FROM promotion_tiers
     WHERE project_id = $1 AND id = ANY($2) AND campaign_id = $3 AND NOT deleted`,
    [context.project.id, ids, campaign.id],
  );
  return new Set(rows.map(({ id }) => id));
};

/** How many stacks the campaign has. */
export const stackCountOf = async ({ manager, context, campaign }: CampaignWrite): Promise<number> => {
  const [row] = await runQuery<{ count: number }>(
    manager,
    `SELECT count(*)::int AS count FROM promotion_stacks
     WHERE project_id = $1 AND campaign_id = $2 AND NOT deleted`,
    [context.project.id, campaign.id],
  );
  return row!.count;
};

/** The ids of the stacks of the campaign, in their order; `tierId`: of those that hold the tier. */
export const stackIdsOf = async (
  { manager, context, campaign }: CampaignWrite,
  tierId?: string,
): Promise<string[]> => {
  const holding = tierId === undefined ? '' : `AND state->'stack'->'tier_ids' ? $3`;
  const rows = await runQuery<{ id: string }>(
    manager,
    `SELECT id FROM promotion_stacks
     WHERE project_id = $1 AND campaign_id = $2 AND NOT deleted ${holding} ORDER BY id`,
    [context.project.id, campaign.id, ...(tierId === undefined ? [] : [tierId])],
  );
  return rows.map(({ id }) => id);
};
