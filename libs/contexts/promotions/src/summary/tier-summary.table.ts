import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { TierSums } from '@scrip/contracts/promotions';
import type { RedemptionEvent } from '@scrip/contracts/qualification';
import { runQuery } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import type { DataSource, EntityManager } from 'typeorm';

/** What a redemption adds to the summary of its tier. */
export interface AddedToTier extends TierSums {
  project_id: string;
  tier_id: string;
}

/** What an event adds to the summary of a tier; null where it adds nothing. A stack counts as its children do; rollbacks take
 *  nothing back. Source: reference 04 §10. */
export const addedToTier = (project_id: string, event: RedemptionEvent): AddedToTier | null => {
  if (event.type !== 'RedemptionSucceeded') return null;
  const { related_object_type, related_object_id: tier_id, order } = event.data.redemption;
  if (related_object_type !== 'promotion_tier') return null;
  return {
    project_id,
    tier_id,
    redemptions: 1,
    total_amount: order?.total_amount ?? 0,
    total_discount_amount: order?.total_applied_discount_amount ?? 0,
  };
};

const sums = ['redemptions', 'total_amount', 'total_discount_amount'] as const satisfies (keyof TierSums)[];

const addSql = `
  INSERT INTO tier_summaries AS t (project_id, tier_id, ${sums.join(', ')})
  SELECT project_id, tier_id, ${sums.map((sum) => `sum(${sum})`).join(', ')}
  FROM jsonb_populate_recordset(NULL::tier_summaries, $1::jsonb)
  GROUP BY project_id, tier_id ORDER BY project_id, tier_id
  ON CONFLICT (project_id, tier_id) DO UPDATE
    SET ${sums.map((sum) => `${sum} = t.${sum} + excluded.${sum}`).join(', ')}`;

/** Adds to the summaries of tiers; a tier may come more than once. */
export const addToTiers = async (manager: EntityManager, added: readonly AddedToTier[]): Promise<void> => {
  if (added.length > 0) await manager.query(addSql, [JSON.stringify(added)]);
};

/** What redemptions of tiers add up to, as far as their events came. */
@Injectable()
export class TierSummaries {
  constructor(@InjectDataSource('promotions') private readonly dataSource: DataSource) {}

  /** Of these tiers, by one statement; those that were never redeemed are left out. */
  async of({ project }: RequestContext, tierIds: readonly string[]): Promise<Map<string, TierSums>> {
    if (tierIds.length === 0) return new Map();
    const rows = await runQuery<TierSums & { tier_id: string }>(
      this.dataSource,
      `SELECT tier_id, ${sums.map((sum) => `${sum}::float8 AS ${sum}`).join(', ')} FROM tier_summaries
       WHERE project_id = $1 AND tier_id = ANY($2)`,
      [project.id, tierIds],
    );
    return new Map(rows.map(({ tier_id, ...own }) => [tier_id, own]));
  }
}
