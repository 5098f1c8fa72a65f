import { Injectable } from '@nestjs/common';
import type { CampaignEvent, CampaignSnapshot } from '@scrip/contracts/campaigns';
import type { PromotionTierSnapshot } from '@scrip/contracts/promotions';
import { type AggregateStore, EventStore, InjectEventStore, UniqueViolation } from '@scrip/event-store';
import { tierOf } from '@scrip/incentives';
import { rulesOfTier } from '@scrip/incentives/bodies';
import { creationRow, isSettledCreation, type RuledBeginning, RulesOfBodies } from '@scrip/incentives/rules';
import { type BusinessClock, type IdSource, isRefused, refuse, type RequestContext } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import { InjectBusinessClock } from '@scrip/service';
import { campaignAggregate, duplicateCampaign } from '../campaign/campaign.aggregate';
import type { CampaignState } from '../campaign/campaign.decider';
import type { CreateCampaignBody } from '../campaign/campaign.dto';
import { CampaignReads } from '../campaign/campaign.reads';
import { againWhereLost } from '../commits/repeating';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { Categories } from '../categories/categories.table';
import { draftPromotion, promotionCampaignOf, type PromotionDraft } from './promotion-draft';
import { PromotionTiers } from './promotion-tiers';

/** Creates promotion campaigns with their first tiers. Source: ADR 116. */
@Injectable()
export class CreatePromotion {
  private readonly campaigns: AggregateStore<CampaignState, CampaignEvent>;

  constructor(
    @InjectEventStore('campaigns') store: EventStore,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly categories: Categories,
    private readonly reads: CampaignReads,
    private readonly metadata: MetadataSchemas,
    private readonly tiers: PromotionTiers,
    private readonly rules: RulesOfBodies,
  ) {
    this.campaigns = store.aggregate(campaignAggregate);
  }

  /** Checks in the order of reference 04 §4.1. The campaign's event carries the tiers, so that they are created with it or not at
   *  all. Repeated under the same ids it answers the campaign that exists. Refuses as `draftPromotion`, further `not_found`
   *  (category, rule), `metadata_validation_failed` and `duplicate_found` (name). */
  async create(
    context: RequestContext,
    ids: IdSource,
    body: CreateCampaignBody,
  ): Promise<CampaignSnapshot | CampaignsRefusal> {
    const rulesOfTiers = (body.promotion?.tiers ?? []).map(rulesOfTier);
    const rules = [...new Set([...(body.validation_rules ?? []), ...rulesOfTiers.flat()])];
    const ruled = rules.length > 0;
    const id = await this.rules.newId(context, ids, { prefix: 'camp_', kind: 'campaign', ruled });
    if (await this.campaigns.load(context.project.id, id)) return this.reads.find(context, id);
    const draft = draftPromotion(body);
    if (isRefused(draft)) return draft;
    const now = this.clock.now(context.project);
    const category = await this.categories.choose(context, body, ids, now);
    if (isRefused(category)) return category;
    const unknownRule = await this.rules.mustExist(context, rules);
    if (unknownRule) return unknownRule;
    const campaign = promotionCampaignOf(draft, { id, category, now: now.toISOString() });
    const schema = campaign.use_voucher_metadata_schema ? 'voucher' : 'campaign';
    const misfit = (await this.metadata.checkOf(context, schema))(campaign.metadata);
    if (misfit) return misfit;
    const tiers = await this.firstTiers(context, ids, draft, campaign);
    if (isRefused(tiers)) return tiers;
    const beginnings: RuledBeginning[] = [
      { type: 'campaign', id, campaign_id: null, rules: body.validation_rules ?? [] },
      ...tiers.map((tier, place): RuledBeginning => {
        return { type: 'promotion_tier', id: tier.id, campaign_id: id, rules: rulesOfTiers[place]! };
      }),
    ];
    return this.rules.around(context, ids, { created: id, beginnings }, () =>
      this.store(context, campaign, { tiers, ruled }),
    );
  }

  private async firstTiers(
    context: RequestContext,
    ids: IdSource,
    { body, tiers: drafts }: PromotionDraft,
    campaign: CampaignSnapshot,
  ): Promise<PromotionTierSnapshot[] | CampaignsRefusal> {
    const check = await this.metadata.checkOf(context, 'promotion_tier');
    const now = this.clock.now(context.project);
    const tiers: PromotionTierSnapshot[] = [];
    for (const [index, fields] of drafts.entries()) {
      const named = body.promotion!.tiers![index]!;
      const kind = `category:${index}`;
      const numbered: IdSource = { next: (prefix) => ids.next(prefix, kind) };
      const category = await this.categories.choose(context, named, numbered, now);
      if (isRefused(category)) return category;
      const misfit = check(fields.metadata);
      if (misfit)
        return refuse(misfit.refused, `Property .promotion.tiers[${index}].metadata: ${misfit.details}`);
      const id = ids.next('promo_', `promotion-tier:${index}`);
      const at = { id, campaign_id: campaign.id, hierarchy: index + 1, category, now: campaign.created_at };
      tiers.push(tierOf(fields, at));
    }
    return tiers;
  }

  private async store(
    context: RequestContext,
    campaign: CampaignSnapshot,
    { tiers, ruled }: { tiers: PromotionTierSnapshot[]; ruled: boolean },
  ): Promise<CampaignSnapshot | CampaignsRefusal> {
    const data = { campaign, tiers };
    const rows = ruled ? [creationRow(context.project.id, campaign.id)] : [];
    const created = { streamId: campaign.id, events: [{ type: 'CampaignCreated' as const, data }], rows };
    try {
      await againWhereLost(() => this.campaigns.createTogether(context, [created]));
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      if (isSettledCreation(error)) {
        const existing = await this.reads.find(context, campaign.id);
        if (isRefused(existing)) throw error;
        return existing;
      }
      if (error.constraint === 'campaigns_name') return duplicateCampaign(campaign.name);
      if (error.constraint !== 'campaigns_pkey') throw error;
      return this.reads.find(context, campaign.id);
    }
    // Version 0: whatever event is heard of this campaign is newer.
    await this.tiers.begin(context, { ...data, version: 0, epoch: 0 });
    return campaign;
  }
}
