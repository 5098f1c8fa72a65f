import { Injectable } from '@nestjs/common';
import type { CampaignSnapshot, CampaignTemplateSnapshot } from '@scrip/contracts/campaigns';
import { type PromotionsPort, promotionsPort, type PromotionTierSnapshot } from '@scrip/contracts/promotions';
import type { CreatedResource } from '@scrip/contracts/snapshot';
import { type BusinessClock, type IdSource, isRefused, type RequestContext } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import { InjectBusinessClock } from '@scrip/service';
import { draftMustFitCapacity } from '../campaign/campaign-draft';
import { CreateCampaign } from '../campaign/create-campaign';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { Categories } from '../categories/categories.table';
import { CurrentCategories } from '../categories/current-categories';
import type { CampaignSetupBody, TierSetupBody } from './template.dto';
import { TemplateReads } from './template.reads';
import { type RestoredTemplate, TemplateResources } from './template-resources';
import { draftOfTemplate, tierFieldsOfTemplate } from './template-setup';

/** What a setup made, and the records that it created for it; its rules are created with it. */
type MadeOf<Object> = Object & { created: CreatedResource[] };

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
    private readonly resources: TemplateResources,
  ) {}

  /** Stores what a creation of a campaign stores, together or not at all; repeated under the same ids, answers that campaign.
   *  Refuses `not_found`, and as `draftOfTemplate` and `CreateCampaign` do. */
  async campaign(
    context: RequestContext,
    ids: IdSource,
    templateId: string,
    body: CampaignSetupBody,
  ): Promise<MadeOf<{ campaign: CampaignSnapshot }> | CampaignsRefusal> {
    let created: CreatedResource[] = [];
    const campaign = await this.creation.createDrafted(context, ids, async () => {
      const restored = await this.restored(context, templateId, async (template) => {
        const draft = draftOfTemplate(template, body, context.project);
        if (isRefused(draft)) return draft;
        return (
          draftMustFitCapacity(draft, context.project) ??
          (await this.creation.nameMustBeFree(context, body.name))
        );
      });
      if (isRefused(restored)) return restored;
      ({ created } = restored);
      return draftOfTemplate(restored.template, body, context.project);
    });
    return isRefused(campaign) ? campaign : { campaign, created };
  }

  /** The owner of tiers stores it; repeated under the same ids, answers that tier. Refuses `not_found`, and as
   *  `tierFieldsOfTemplate` and the creation of a tier do. Throws `Fault` where the owner of tiers does not answer. */
  async tier(
    context: RequestContext,
    ids: IdSource,
    templateId: string,
    body: TierSetupBody,
  ): Promise<MadeOf<{ tier: PromotionTierSnapshot; campaign: CampaignSnapshot }> | CampaignsRefusal> {
    const restored = await this.restored(context, templateId, async (template) => {
      const fields = tierFieldsOfTemplate(template, body);
      return isRefused(fields) ? fields : null;
    });
    if (isRefused(restored)) return restored;
    const { template } = restored;
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
    return { ...created, tier: tier!, created: restored.created };
  }

  /** The template with what it names restored. `check`: what can be refused before anything is. */
  private async restored(
    context: RequestContext,
    templateId: string,
    check: (template: CampaignTemplateSnapshot) => Promise<CampaignsRefusal | null>,
  ): Promise<RestoredTemplate | CampaignsRefusal> {
    const template = await this.templates.find(context, templateId);
    if (isRefused(template)) return template;
    return (await check(template)) ?? this.resources.restore(context, template);
  }
}
