import { Injectable, Logger } from '@nestjs/common';
import type { CampaignSnapshot } from '@scrip/contracts/campaigns';
import {
  type PromotionCampaign,
  type PromotionsPort,
  promotionsPort,
  type TiersOfCampaign,
} from '@scrip/contracts/promotions';
import { RulesOfBodies } from '@scrip/incentives/rules';
import { Fault, isRefused, type RequestContext } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import { renderCampaign } from '@scrip/wire/campaigns';
import { renderTiers } from '@scrip/wire/promotions';
import { CurrentCategories, withCategory } from '../categories/current-categories';
import { PromotionCampaigns } from './promotion-campaigns';

/** The tiers of promotion campaigns, which another context owns. Source: ADR 116. */
@Injectable()
export class PromotionTiers {
  private readonly logger = new Logger(PromotionTiers.name);

  constructor(
    @InjectPort(promotionsPort) private readonly promotions: PromotionsPort,
    private readonly campaigns: PromotionCampaigns,
    private readonly categories: CurrentCategories,
    private readonly rules: RulesOfBodies,
  ) {}

  /** Stores the tiers that a campaign was created with. Where their owner does not answer, it takes them from the campaign's
   *  event, or when they are asked for. */
  async begin(context: RequestContext, created: PromotionCampaign): Promise<void> {
    try {
      await this.promotions.storeCampaign(context, created);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.logger.warn(`the tiers of campaign ${created.campaign.id} are stored later: ${error.message}`);
    }
  }

  /** Tells the owner of the tiers what a campaign became, before the caller is answered; other kinds have no tiers. Where that
   *  owner does not answer, it takes the change from the campaign's event. Source: ADR 141. */
  async follow(context: RequestContext, campaignId: string): Promise<void> {
    const changed = await this.campaigns.changed(context, campaignId);
    if (!changed) return;
    try {
      await this.promotions.changeCampaign(context, changed);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.logger.warn(`the tiers of campaign ${campaignId} follow it later: ${error.message}`);
    }
  }

  /** Campaigns as answers show them, those of promotions with their first tiers: one call for all, and one for the rules of all.
   *  Throws `Fault` where the owner of the tiers or of the rules does not answer. */
  async rendered(
    context: RequestContext,
    campaigns: readonly CampaignSnapshot[],
  ): Promise<ReturnType<typeof renderCampaign>[]> {
    const ids = campaigns.flatMap(({ id, campaign_type }) => (campaign_type === 'PROMOTION' ? [id] : []));
    const lists = await this.listed(context, ids);
    const projectId = context.project.id;
    const known = await this.categories.of(
      [...lists.values()].flatMap(({ tiers }) => tiers.map((record) => ({ projectId, record }))),
    );
    const tierIds = [...lists.values()].flatMap(({ tiers }) => tiers.map(({ id }) => id));
    const rulesOf = await this.rules.shown(context, [...campaigns.map(({ id }) => id), ...tierIds]);
    return campaigns.map((campaign) => {
      const list = lists.get(campaign.id);
      const tiers = list?.tiers.map((tier) => withCategory(known, projectId, tier)) ?? [];
      const promotion = list && renderTiers(tiers, list.total, campaign, rulesOf, list.sums);
      return renderCampaign(campaign, null, promotion, rulesOf(campaign.id));
    });
  }

  private async listed(
    context: RequestContext,
    campaign_ids: readonly string[],
  ): Promise<Map<string, TiersOfCampaign>> {
    if (campaign_ids.length === 0) return new Map();
    const first = await this.promotions.listTiers(context, { campaign_ids });
    const lists = [...first.lists];
    if (first.unknown.length > 0) {
      for (const id of first.unknown) {
        const campaign = await this.campaigns.load(context, id);
        if (!isRefused(campaign)) await this.promotions.storeCampaign(context, campaign);
      }
      lists.push(...(await this.promotions.listTiers(context, { campaign_ids: first.unknown })).lists);
    }
    return new Map(lists.map((list) => [list.campaign_id, list]));
  }
}
