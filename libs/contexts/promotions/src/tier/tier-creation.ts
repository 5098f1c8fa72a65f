import { Injectable } from '@nestjs/common';
import type { PromotionTierFields } from '@scrip/contracts/promotions';
import type { RuleDefinition } from '@scrip/contracts/qualification';
import type { CategorySnapshot } from '@scrip/contracts/snapshot';
import type { CampaignPeriod, TierRefusal } from '@scrip/incentives';
import { RulesOfBodies } from '@scrip/incentives/rules';
import { type IdSource, isRefused, type Refusal, type RequestContext } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import { CampaignsOfPromotions } from '../campaign/campaigns-of-promotions';
import type { PromotionsRefusal } from '../promotions.refusals';
import { TierHandlers, type WantedTier } from './tier.handlers';
import type { TierWithCampaign } from './tier.reads';

/** A tier that a caller or another context asks for. `campaign`: its id or name. `fieldsIn`: what the tier has, with the limits
 *  of its campaign. `rules`: those that hold for it from its creation on, `made` those that are created with it, and where their
 *  assignments have their ids from. */
export interface AskedTier extends Pick<WantedTier, 'id' | 'hierarchy'> {
  rules?: { ids: IdSource; named: readonly string[]; made?: readonly RuleDefinition[] };
  campaign: string;
  fieldsIn(campaign: CampaignPeriod): PromotionTierFields | TierRefusal;
  category(): Promise<CategorySnapshot | null | Refusal<'not_found' | 'invalid_payload'>>;
}

/** Creates tiers in campaigns as they are now. Source: reference 04 §10. */
@Injectable()
export class TierCreation {
  constructor(
    private readonly campaigns: CampaignsOfPromotions,
    private readonly handlers: TierHandlers,
    private readonly metadata: MetadataSchemas,
    private readonly rules: RulesOfBodies,
  ) {}

  /** Repeated under the same id, answers the tier as it is now. Refuses `not_found` (campaign, category, rule), `invalid_campaign`,
   *  `invalid_payload` and `metadata_validation_failed`. */
  async create(context: RequestContext, asked: AskedTier): Promise<TierWithCampaign | PromotionsRefusal> {
    const campaign = await this.campaigns.current(context, asked.campaign);
    if (isRefused(campaign)) return campaign;
    const fields = asked.fieldsIn(campaign);
    if (isRefused(fields)) return fields;
    const category = await asked.category();
    if (isRefused(category)) return category;
    const { id, hierarchy, rules } = asked;
    const unknownRule = await this.rules.mustExist(context, rules?.named ?? []);
    if (unknownRule) return unknownRule;
    const check = await this.metadata.checkOf(context, 'promotion_tier');
    const misfit = check(fields.metadata);
    if (misfit) return misfit;
    const campaign_id = campaign.id;
    const create = (ruled: boolean) =>
      this.handlers.create(context, { id, campaign_id, fields, category, hierarchy, ruled });
    const { named = [], made = [] } = rules ?? {};
    if (!rules || named.length + made.length === 0) return create(false);
    const beginnings = [{ type: 'promotion_tier' as const, id, campaign_id, rules: named, made }];
    return this.rules.around(context, rules.ids, { created: id, beginnings }, () => create(true));
  }
}
