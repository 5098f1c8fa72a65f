import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ContextOf, Ctx, Ids, Operation, Refusals } from '@scrip/edge';
import { RulesOfBodies } from '@scrip/incentives/rules';
import { type IdSource, isRefused, type RequestContext } from '@scrip/kernel';
import { renderTier } from '@scrip/wire/promotions';
import { type CampaignsRefusal, campaignsRefusals } from '../campaigns.refusals';
import { PromotionTiers } from '../promotion/promotion-tiers';
import { SetUpTemplates } from './set-up.handlers';
import {
  CampaignSetupBody,
  CreateTemplateBody,
  TemplateQuery,
  TierSetupBody,
  UpdateTemplateBody,
} from './template.dto';
import { TemplateHandlers } from './template.handlers';
import { TemplateListQuery } from './template-list.query';
import { TemplateReads } from './template.reads';
import {
  type CampaignSetupResponse,
  createdRules,
  renderTemplate,
  renderTemplates,
  templatesAnswer,
  type TierSetupResponse,
} from './template.wire';

const linksTo = (pointer: string) => ({
  getCampaignTemplate: { campaignTemplateId: pointer },
  updateCampaignTemplate: { campaignTemplateId: pointer },
  deleteCampaignTemplate: { campaignTemplateId: pointer },
  setUpCampaign: { campaignTemplateId: pointer },
  setUpTier: { campaignTemplateId: pointer },
});

/** Templates of campaigns and tiers. Source: reference 04 §12. */
@Controller('/v1/templates/campaigns')
@ContextOf('campaigns')
@Refusals(campaignsRefusals)
export class TemplateHttp {
  constructor(
    private readonly handlers: TemplateHandlers,
    private readonly reads: TemplateReads,
    private readonly setUp: SetUpTemplates,
    private readonly campaigns: PromotionTiers,
    private readonly rules: RulesOfBodies,
  ) {}

  @Post()
  @HttpCode(200)
  @Operation({
    id: 'createCampaignTemplate',
    refuses: [
      'not_found',
      'duplicate_found',
      'invalid_campaign',
      'campaign_type_is_not_supported_by_campaign_template',
    ],
    links: linksTo('/id'),
    summary: 'Makes a template from a campaign or a promotion tier',
    description:
      'It keeps what the source is now, with its own validation rules: changes and the deletion of the source do not touch it. ' +
      'Campaigns give discounts or gift cards; exactly one of `campaign_id` and `promotion_tier_id` is given.',
    example: { name: 'Spring coupons', campaign_id: 'Spring' },
    answers: { 200: 'CampaignTemplateResponse' },
  })
  async create(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() body: CreateTemplateBody) {
    const template = await this.handlers.create(context, ids, body);
    return isRefused(template) ? template : renderTemplate(template);
  }

  @Get()
  @Operation({
    id: 'listCampaignTemplates',
    refuses: [],
    links: linksTo('/data/0/id'),
    summary: 'Lists templates',
    description: 'Oldest first, unless another order is asked for.',
    answers: { 200: templatesAnswer },
  })
  async list(@Ctx() context: RequestContext, @Query() query: TemplateListQuery) {
    const page = await this.reads.list(context, query);
    if (isRefused(page)) return page;
    return renderTemplates(page);
  }

  @Get(':campaignTemplateId')
  @Operation({
    id: 'getCampaignTemplate',
    refuses: ['not_found'],
    summary: 'Shows a template',
    description: 'With `expand=json_template` also what it has, laid out as the body of a campaign.',
    answers: { 200: 'CampaignTemplateResponse' },
  })
  async get(
    @Ctx() context: RequestContext,
    @Param('campaignTemplateId') id: string,
    @Query() { expand }: TemplateQuery,
  ) {
    const template = await this.reads.find(context, id);
    return isRefused(template) ? template : renderTemplate(template, expand === 'json_template');
  }

  @Put(':campaignTemplateId')
  @Operation({
    id: 'updateCampaignTemplate',
    refuses: ['not_found', 'duplicate_found'],
    links: linksTo('/id'),
    summary: 'Changes the name or the description of a template',
    description: 'What is not sent stays; null clears the description.',
    example: { name: 'Summer coupons', description: 'Ten percent for a season' },
    answers: { 200: 'CampaignTemplateResponse' },
  })
  async update(
    @Ctx() context: RequestContext,
    @Param('campaignTemplateId') id: string,
    @Body() body: UpdateTemplateBody,
  ) {
    const template = await this.handlers.update(context, id, body);
    return isRefused(template) ? template : renderTemplate(template);
  }

  @Delete(':campaignTemplateId')
  @HttpCode(204)
  @Operation({
    id: 'deleteCampaignTemplate',
    refuses: ['not_found'],
    summary: 'Deletes a template',
    description: 'For good: a template is never in the bin. What was made from it stays.',
    answers: { 204: null },
  })
  async delete(
    @Ctx() context: RequestContext,
    @Param('campaignTemplateId') id: string,
  ): Promise<CampaignsRefusal | undefined> {
    const deleted = await this.handlers.delete(context, id);
    return isRefused(deleted) ? deleted : undefined;
  }

  @Post(':campaignTemplateId/campaign-setup')
  @HttpCode(200)
  @Operation({
    id: 'setUpCampaign',
    refuses: [
      'not_found',
      'duplicate_found',
      'invalid_campaign',
      'invalid_code_config',
      'missing_required_feature',
      'metadata_validation_failed',
      'resource_in_use',
    ],
    links: { getCampaign: { campaignId: '/campaign/id' } },
    summary: 'Makes a campaign from a template',
    description:
      'What is sent stands in place of what the template has; `name` is required. With more than one code, a background task makes ' +
      'them: see GET /v1/async-actions. The public code of a `STANDALONE` campaign is made too. `created_resources` lists ' +
      'what was made with it: clones of the validation rules, and what they and a discount in units name that is missing.',
    example: { name: 'Spring 2027', vouchers_count: 10, start_date: '2027-03-01' },
    answers: { 200: 'CampaignSetupResponse' },
  })
  async setUpCampaign(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Param('campaignTemplateId') id: string,
    @Body() body: CampaignSetupBody,
  ): Promise<CampaignSetupResponse | CampaignsRefusal> {
    const made = await this.setUp.campaign(context, ids, id, body);
    if (isRefused(made)) return made;
    const { campaign, created } = made;
    const [rendered] = await this.campaigns.rendered(context, [campaign]);
    return {
      created_resources: [...created, ...createdRules(rendered!.validation_rules_assignments)],
      campaign: rendered!,
      object: 'campaign_setup',
    };
  }

  @Post(':campaignTemplateId/tier-setup')
  @HttpCode(200)
  @Operation({
    id: 'setUpTier',
    refuses: [
      'not_found',
      'invalid_campaign',
      'campaign_type_is_not_supported_by_campaign_template',
      'duplicate_found',
      'metadata_validation_failed',
      'resource_in_use',
    ],
    links: { getPromotionTier: { promotionTierId: '/promotion_tier/id' } },
    summary: 'Makes a promotion tier from a template of discounts',
    description:
      'In the promotion campaign that `campaign_id` names by id or name. What is sent stands in place of what the template has. ' +
      '`created_resources` lists what was made with it.',
    example: { campaign_id: 'Weekdays', name: '10 % more' },
    answers: { 200: 'TierSetupResponse' },
  })
  async setUpTier(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Param('campaignTemplateId') id: string,
    @Body() body: TierSetupBody,
  ): Promise<TierSetupResponse | CampaignsRefusal> {
    const made = await this.setUp.tier(context, ids, id, body);
    if (isRefused(made)) return made;
    const { tier, campaign, created } = made;
    const rules = (await this.rules.shown(context, [tier.id]))(tier.id);
    const promotion_tier = renderTier(tier, campaign, rules);
    return {
      created_resources: [...created, ...createdRules(rules)],
      promotion_tier,
      campaign: promotion_tier.campaign,
      object: 'promotion_tier_setup',
    };
  }
}
