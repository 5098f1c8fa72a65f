import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ContextOf, Ctx, Ids, listOf, offsetOf, Operation, Refusals } from '@scrip/edge';
import { newTierFields, tierChangeOf } from '@scrip/incentives';
import { CreateTierBody, rulesOfTier, UpdateTierBody } from '@scrip/incentives/bodies';
import { RulesOfBodies } from '@scrip/incentives/rules';
import { type IdSource, isFromBrowser, isRefused, type RequestContext } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import { renderTier, renderTierToBrowser } from '@scrip/wire/promotions';
import { CampaignsOfPromotions } from '../campaign/campaigns-of-promotions';
import { type PromotionsRefusal, promotionsRefusals } from '../promotions.refusals';
import { TierSummaries } from '../summary/tier-summary.table';
import { TierCreation } from './tier-creation';
import { TierListQuery, TiersOfCampaignQuery } from './tier-list.query';
import { TierHandlers } from './tier.handlers';
import { type TierPage, TierReads, type TierWithCampaign } from './tier.reads';

const linksTo = (pointer: string) => ({
  getPromotionTier: { promotionTierId: pointer },
  updatePromotionTier: { promotionTierId: pointer },
  enablePromotionTier: { promotionTierId: pointer },
  disablePromotionTier: { promotionTierId: pointer },
  deletePromotionTier: { promotionTierId: pointer },
  validatePromotionTier: { promotionTierId: pointer },
  redeemPromotionTier: { promotionTierId: pointer },
});

/** Tiers of promotion campaigns. Source: reference 04 §10. */
@Controller()
@ContextOf('promotions')
@Refusals(promotionsRefusals)
export class TierHttp {
  constructor(
    private readonly campaigns: CampaignsOfPromotions,
    private readonly creation: TierCreation,
    private readonly handlers: TierHandlers,
    private readonly metadata: MetadataSchemas,
    private readonly reads: TierReads,
    private readonly rules: RulesOfBodies,
    private readonly summaries: TierSummaries,
  ) {}

  @Get(['v1/promotions/tiers', 'client/v1/promotions/tiers'])
  @Operation({
    id: 'listPromotionTiers',
    refuses: [],
    links: linksTo('/tiers/0/id'),
    summary: 'Lists the promotion tiers of all campaigns',
    description:
      'Newest first, unless another order is asked for. With `is_available` those that are active, as their campaign is, and ' +
      'not expired: by the expiration of the tier, or that of its campaign where the tier has none. Browsers see those only, once ' +
      'they have started, without `metadata` and with an empty `summary`.',
    answers: { 200: { list: 'tiers', of: 'PromotionTierResponse', counts: ['total', 'has_more'] } },
  })
  async list(@Ctx() context: RequestContext, @Query() query: TierListQuery) {
    return this.page(context, query, await this.reads.list(context, query));
  }

  @Get('v1/promotions/:campaignId/tiers')
  @Operation({
    id: 'listTiersOfCampaign',
    refuses: ['not_found', 'invalid_campaign'],
    pathExample: { campaignId: 'Weekdays' },
    links: linksTo('/tiers/0/id'),
    summary: 'Lists the promotion tiers of a campaign',
    description: 'In the order of their `hierarchy`. The campaign is named by its id or its name.',
    answers: { 200: { list: 'tiers', of: 'PromotionTierResponse', counts: ['total', 'has_more'] } },
  })
  async ofCampaign(
    @Ctx() context: RequestContext,
    @Param('campaignId') idOrName: string,
    @Query() query: TiersOfCampaignQuery,
  ) {
    const campaign = await this.campaigns.known(context, idOrName);
    if (isRefused(campaign)) return campaign;
    return this.page(context, query, await this.reads.ofCampaign(context, campaign.id, query));
  }

  @Post('v1/promotions/:campaignId/tiers')
  @Operation({
    id: 'createPromotionTier',
    refuses: ['not_found', 'invalid_campaign', 'metadata_validation_failed'],
    pathExample: { campaignId: 'Weekdays' },
    links: linksTo('/id'),
    summary: 'Creates a promotion tier',
    description:
      'In a campaign of type `PROMOTION`, named by its id or its name; behind its other tiers, unless `hierarchy` names a ' +
      'place: the tiers from there on move down by one.',
    example: {
      name: '10 % from Monday to Friday',
      action: { discount: { type: 'PERCENT', percent_off: 10 } },
      validity_day_of_week: [1, 2, 3, 4, 5],
    },
    answers: { 200: 'PromotionTierResponse' },
  })
  async create(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Param('campaignId') idOrName: string,
    @Body() body: CreateTierBody,
  ) {
    const rules = rulesOfTier(body);
    const ruled = rules.length > 0;
    const created = await this.creation.create(context, {
      id: await this.rules.newId(context, ids, { prefix: 'promo_', kind: 'promotion-tier', ruled }),
      campaign: idOrName,
      hierarchy: body.hierarchy ?? null,
      fieldsIn: (campaign) => newTierFields(body, campaign),
      category: () => this.campaigns.category(context, ids, body),
      rules: { ids, named: rules },
    });
    return this.answer(context, created);
  }

  @Get('v1/promotions/tiers/:promotionTierId')
  @Operation({
    id: 'getPromotionTier',
    refuses: ['not_found'],
    summary: 'Shows a promotion tier',
    answers: { 200: 'PromotionTierResponse' },
  })
  async get(@Ctx() context: RequestContext, @Param('promotionTierId') id: string) {
    return this.answer(context, await this.reads.find(context, id));
  }

  @Put('v1/promotions/tiers/:promotionTierId')
  @Operation({
    id: 'updatePromotionTier',
    refuses: ['not_found', 'invalid_campaign', 'metadata_validation_failed'],
    summary: 'Changes a promotion tier',
    description:
      'What is not sent stays; null clears a field; `metadata` are merged by key. Another `hierarchy` moves the tier there, and ' +
      'the tiers from there on down by one. `active` is not changed. Rules of `validation_rule_assignments` that the tier lacks are ' +
      'assigned to it; none is taken off.',
    example: { name: '15 % from Monday to Friday', banner: 'A good start into the day', hierarchy: 1 },
    answers: { 200: 'PromotionTierResponse' },
  })
  async update(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Param('promotionTierId') id: string,
    @Body() body: UpdateTierBody,
  ) {
    const stored = await this.reads.find(context, id);
    if (isRefused(stored)) return stored;
    const change = tierChangeOf(body);
    if (isRefused(change)) return change;
    const namesCategory = body.category !== undefined || body.category_id !== undefined;
    const category = namesCategory ? await this.campaigns.category(context, ids, body) : undefined;
    if (isRefused(category)) return category;
    const check = await this.metadata.checkOf(context, 'promotion_tier');
    const { validation_rule_assignments } = body;
    const rules = rulesOfTier({ validation_rule_assignments });
    const { campaign_id } = stored.tier;
    const ruled = { type: 'promotion_tier' as const, id, campaign_id, rules };
    const updated = await this.rules.adding(context, ids, ruled, () =>
      this.handlers.update(context, id, {
        change,
        check,
        ...(category === undefined ? {} : { category }),
        ...(typeof body.hierarchy === 'number' ? { hierarchy: body.hierarchy } : {}),
      }),
    );
    return this.answer(context, updated);
  }

  @Post('v1/promotions/tiers/:promotionTierId/enable')
  @Operation({
    id: 'enablePromotionTier',
    refuses: ['not_found'],
    summary: 'Enables a promotion tier',
    answers: { 200: 'PromotionTierResponse' },
  })
  async enable(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Param('promotionTierId') id: string) {
    return this.answer(context, await this.handlers.enable(context, ids, id));
  }

  @Post('v1/promotions/tiers/:promotionTierId/disable')
  @Operation({
    id: 'disablePromotionTier',
    refuses: ['not_found'],
    summary: 'Disables a promotion tier',
    answers: { 200: 'PromotionTierResponse' },
  })
  async disable(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Param('promotionTierId') id: string) {
    return this.answer(context, await this.handlers.disable(context, ids, id));
  }

  @Delete('v1/promotions/tiers/:promotionTierId')
  @HttpCode(204)
  @Operation({
    id: 'deletePromotionTier',
    refuses: ['not_found'],
    summary: 'Deletes a promotion tier',
    description: 'For good: a tier is never in the bin.',
    answers: { 204: null },
  })
  async delete(
    @Ctx() context: RequestContext,
    @Param('promotionTierId') id: string,
  ): Promise<PromotionsRefusal | undefined> {
    const deleted = await this.handlers.delete(context, id);
    return isRefused(deleted) ? deleted : undefined;
  }

  private async answer(context: RequestContext, found: TierWithCampaign | PromotionsRefusal) {
    if (isRefused(found)) return found;
    const [shown] = await this.rendered(context, [found]);
    return shown!;
  }

  /** Tiers with their categories, rules and summaries: by one call or statement each for all. */
  private async rendered(context: RequestContext, found: readonly TierWithCampaign[]) {
    const records = found.map(({ tier }) => tier);
    const ids = records.map(({ id }) => id);
    const isBrowser = isFromBrowser(context);
    const [shown, rulesOf, sums] = await Promise.all([
      this.campaigns.withCategories(context, records),
      this.rules.shown(context, ids),
      this.summaries.of(context, isBrowser ? [] : ids),
    ]);
    const render = isBrowser ? renderTierToBrowser : renderTier;
    return shown.map((tier, index) =>
      render(tier, found[index]!.campaign, rulesOf(tier.id), sums.get(tier.id)),
    );
  }

  private async page(
    context: RequestContext,
    query: { page: number; limit: number },
    { tiers, total }: TierPage,
  ) {
    const shown = await this.rendered(context, tiers);
    const has_more = offsetOf(query) + tiers.length < total;
    return listOf('tiers', shown, { total, has_more });
  }
}
