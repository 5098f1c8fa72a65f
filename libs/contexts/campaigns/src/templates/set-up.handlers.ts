import { Injectable } from '@nestjs/common';
import type { CampaignSnapshot } from '@scrip/contracts/campaigns';
import { type PromotionsPort, promotionsPort, type PromotionTierSnapshot } from '@scrip/contracts/promotions';
import { type BusinessClock, type IdSource, isRefused, type RequestContext } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import { InjectBusinessClock } from '@scrip/service';
import { CreateCampaign } from '../campaign/create-campaign';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { Categories } from '../categories/categories.table';
import { CurrentCategories } from '../categories/current-categories';
import type { CampaignSetupBody, TierSetupBody } from './template.dto';
import { TemplateReads } from './template.reads';
import { draftOfTemplate, tierFieldsOfTemplate } from './template-setup';

/** Makes campaigns and tiers from templates, as calls of their own would. Source: reference 04 §12. */
@Injectable()
export class SetUpTemplates {
  constructor(
    @InjectBusinessClock() private readonly clock: BusinessClock,
    @InjectPort(promotionsPort) private readonly promotions: PromotionsPort,
    private readonly templates: TemplateReads,
    private readonly creation: CreateCampaign,
    private readonly categories: Categories,
    private readonly current: CurrentCategories,
  ) {}

  /** Stores what a creation of a campaign stores, together or not at all; repeated under the same ids, answers that campaign.
   *  Refuses `not_found`, and as `draftOfTemplate` and `CreateCampaign` do. */
  campaign(
    context: RequestContext,
    ids: IdSource,
    templateId: string,
    body: CampaignSetupBody,
  ): Promise<CampaignSnapshot | CampaignsRefusal> {
    return this.creation.createDrafted(context, ids, async () => {
      const template = await this.templates.find(context, templateId);
      return isRefused(template) ? template : draftOfTemplate(template, body, context.project);
    });
  }

  /** The owner of tiers stores it; repeated under the same ids, answers that tier. Refuses `not_found`, and as
   *  `tierFieldsOfTemplate` and the creation of a tier do. Throws `Fault` where the owner of tiers does not answer. */
  async tier(
    context: RequestContext,
    ids: IdSource,
    templateId: string,
    body: TierSetupBody,
  ): Promise<{ tier: PromotionTierSnapshot; campaign: CampaignSnapshot } | CampaignsRefusal> {
    const template = await this.templates.find(context, templateId);
    if (isRefused(template)) return template;
    const fields = tierFieldsOfTemplate(template, body);
    if (isRefused(fields)) return fields;
    const { project } = context;
    const category = await this.categories.choose(context, body, ids, this.clock.now(project));
    if (isRefused(category)) return category;
    const created = await this.promotions.createTier(context, {
      id: ids.next('promo_', 'promotion-tier'),
      campaign: body.campaign_id,
      fields,
      category,
      hierarchy: body.hierarchy ?? null,
      made: template.rules ?? [],
    });
    if (isRefused(created)) return created;
    const [tier] = await this.current.shown(project.id, [created.tier]);
    return { ...created, tier: tier! };
  }
}
