import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { CampaignSnapshot } from '@scrip/contracts/campaigns';
import type {
  PromotionStackSnapshot,
  PromotionTierSnapshot,
  RedeemablePromotion,
  RedeemableStack,
  RedeemableTier,
} from '@scrip/contracts/promotions';
import { runQuery } from '@scrip/event-store';
import type { Refusal, RequestContext } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import { CampaignsOfPromotions } from '../campaign/campaigns-of-promotions';
import { stackNotFound, tierNotFound } from '../promotions.refusals';

type Row = { id: string; campaign: CampaignSnapshot } & (
  | { tier: PromotionTierSnapshot; stack: null; tiers: null }
  | { tier: null; stack: PromotionStackSnapshot; tiers: PromotionTierSnapshot[] }
);

// Tiers of a stack that are deleted have left it in the transaction that deleted them.
const redeemables = `
  WITH asked AS (SELECT DISTINCT id FROM unnest($2::text[]) a(id)), found AS (
    SELECT t.id, t.campaign_id, t.state->'tier' AS tier, NULL::jsonb AS stack
    FROM asked a JOIN promotion_tiers t ON t.project_id = $1 AND t.id = a.id AND NOT t.deleted
    UNION ALL
    SELECT s.id, s.campaign_id, NULL, s.state->'stack'
    FROM asked a JOIN promotion_stacks s ON s.project_id = $1 AND s.id = a.id AND NOT s.deleted
  )
  SELECT f.id, f.tier, f.stack, c.campaign, of_stack.tiers
  FROM found f
  JOIN promotion_campaigns c ON c.project_id = $1 AND c.id = f.campaign_id AND NOT c.deleted
  LEFT JOIN LATERAL (
    SELECT jsonb_agg(t.state->'tier' ORDER BY i.place) AS tiers
    FROM jsonb_array_elements_text(f.stack->'tier_ids') WITH ORDINALITY i(id, place)
    JOIN promotion_tiers t ON t.project_id = $1 AND t.id = i.id AND NOT t.deleted
  ) of_stack ON f.stack IS NOT NULL`;

const notFound = (id: string): Refusal<'not_found'> =>
  id.startsWith('stack_') ? stackNotFound(id) : tierNotFound(id);

/** Reads tiers and stacks for validations and redemptions, as they stand when they are asked for: nothing is remembered, so that
 *  what was deleted or switched off before the call is so. Source: reference 03 §4.3. */
@Injectable()
export class RedeemableReads {
  constructor(
    @InjectDataSource('promotions') private readonly dataSource: DataSource,
    private readonly campaigns: CampaignsOfPromotions,
  ) {}

  /** Tiers and stacks by their ids, in the order asked, by one statement; and their categories as they are now by one call, by none
   *  where there are none. Refuses `not_found` for each that does not exist. */
  async load(
    context: RequestContext,
    ids: readonly string[],
  ): Promise<(RedeemablePromotion | Refusal<'not_found'>)[]> {
    const rows = await runQuery<Row>(this.dataSource, redeemables, [context.project.id, ids]);
    const current = await this.campaigns.currentCategories(
      context,
      rows.flatMap(({ campaign, tier, stack, tiers }) => [campaign, ...(tier ? [tier] : [stack, ...tiers])]),
    );
    const found = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => {
      const row = found.get(id);
      if (!row) return notFound(id);
      const campaign = current(row.campaign);
      return row.tier
        ? ({ promotion_tier: current(row.tier), campaign } satisfies RedeemableTier)
        : ({
            promotion_stack: current(row.stack),
            campaign,
            tiers: row.tiers.map(current),
          } satisfies RedeemableStack);
    });
  }
}
