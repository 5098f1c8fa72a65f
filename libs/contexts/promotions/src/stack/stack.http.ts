import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import type { PromotionStackSnapshot } from '@scrip/contracts/promotions';
import { ContextOf, Ctx, Ids, listOf, Operation, Refusals } from '@scrip/edge';
import { categoryMustBeOneOfTwo } from '@scrip/incentives';
import { type IdSource, isRefused, type RequestContext } from '@scrip/kernel';
import { renderStack } from '@scrip/wire/promotions';
import { CampaignsOfPromotions } from '../campaign/campaigns-of-promotions';
import { type PromotionsRefusal, promotionsRefusals } from '../promotions.refusals';
import { stackChangeOf } from './stack-change';
import { StackListQuery, StacksOfCampaignQuery } from './stack-list.query';
import { CreateStackBody, UpdateStackBody } from './stack.dto';
import { StackHandlers } from './stack.handlers';
import { type StackPage, StackReads } from './stack.reads';

const linksTo = (stack: string, campaign: string) => {
  const path = { stackId: stack, campaignId: campaign };
  return { getPromotionStack: path, updatePromotionStack: path, deletePromotionStack: path };
};

const linksOfList = linksTo('/data/0/id', '/data/0/campaign_id');

/** Stacks of the tiers of promotion campaigns. Source: reference 04 §10. */
@Controller()
@ContextOf('promotions')
@Refusals(promotionsRefusals)
export class StackHttp {
  constructor(
    private readonly campaigns: CampaignsOfPromotions,
    private readonly handlers: StackHandlers,
    private readonly reads: StackReads,
  ) {}

  @Get('v1/promotions/stacks')
  @Operation({
    id: 'listPromotionStacks',
    refuses: [],
    links: linksOfList,
    summary: 'Lists the promotion stacks of all campaigns',
    description: 'Newest first, unless another order is asked for.',
    answers: { 200: { list: 'data', of: 'PromotionStackResponse', counts: ['total'] } },
  })
  async list(@Ctx() context: RequestContext, @Query() query: StackListQuery) {
    return this.page(context, await this.reads.list(context, query));
  }

  @Get('v1/promotions/:campaignId/stacks')
  @Operation({
    id: 'listStacksOfCampaign',
    refuses: ['not_found', 'invalid_campaign'],
    pathExample: { campaignId: 'Weekdays' },
    links: linksOfList,
    summary: 'Lists the promotion stacks of a campaign',
    description:
      'Newest first, unless another order is asked for. The campaign is named by its id or its name.',
    answers: { 200: { list: 'data', of: 'PromotionStackResponse', counts: ['total'] } },
  })
  async ofCampaign(
    @Ctx() context: RequestContext,
    @Param('campaignId') idOrName: string,
    @Query() query: StacksOfCampaignQuery,
  ) {
    const campaign = await this.campaigns.known(context, idOrName);
    if (isRefused(campaign)) return campaign;
    return this.page(context, await this.reads.list(context, query, campaign.id));
  }

  @Post('v1/promotions/:campaignId/stacks')
  @Operation({
    id: 'createPromotionStack',
    refuses: ['not_found', 'invalid_campaign'],
    pathExample: { campaignId: 'Weekdays' },
    links: linksTo('/id', '/campaign_id'),
    summary: 'Creates a promotion stack',
    description:
      'Of tiers of one campaign of type `PROMOTION`, named by its id or its name. They are applied in the order of `tiers.ids`, ' +
      'whatever their `hierarchy`.',
    example: {
      name: 'Breakfast',
      tiers: {
        ids: ['promo_0190000000007000800000000000abcd', 'promo_0190000000007000800000000000abce'],
        hierarchy_mode: 'MANUAL',
      },
    },
    answers: { 200: 'PromotionStackResponse' },
  })
  async create(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Param('campaignId') idOrName: string,
    @Body() body: CreateStackBody,
  ) {
    const twice = categoryMustBeOneOfTwo(body);
    if (twice) return twice;
    const campaign = await this.campaigns.current(context, idOrName);
    if (isRefused(campaign)) return campaign;
    const category = await this.campaigns.category(context, ids, body);
    if (isRefused(category)) return category;
    const created = await this.handlers.create(context, {
      id: ids.next('stack_', 'promotion-stack'),
      campaign_id: campaign.id,
      name: body.name,
      tier_ids: body.tiers.ids,
      category,
    });
    return this.answer(context, created);
  }

  @Get('v1/promotions/:campaignId/stacks/:stackId')
  @Operation({
    id: 'getPromotionStack',
    refuses: ['not_found', 'invalid_campaign'],
    pathExample: { campaignId: 'Weekdays' },
    summary: 'Shows a promotion stack',
    answers: { 200: 'PromotionStackResponse' },
  })
  async get(
    @Ctx() context: RequestContext,
    @Param('campaignId') idOrName: string,
    @Param('stackId') id: string,
  ) {
    const campaign = await this.campaigns.known(context, idOrName);
    if (isRefused(campaign)) return campaign;
    return this.answer(context, await this.reads.find(context, { campaignId: campaign.id, id }));
  }

  @Put('v1/promotions/:campaignId/stacks/:stackId')
  @Operation({
    id: 'updatePromotionStack',
    refuses: ['not_found', 'invalid_campaign'],
    pathExample: { campaignId: 'Weekdays' },
    summary: 'Changes a promotion stack',
    description:
      'What is not sent stays; null clears the category. `tiers.ids` replaces all tiers of the stack.',
    example: { name: 'Breakfast and lunch' },
    answers: { 200: 'PromotionStackResponse' },
  })
  async update(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Param('campaignId') idOrName: string,
    @Param('stackId') id: string,
    @Body() body: UpdateStackBody,
  ) {
    const change = stackChangeOf(body);
    if (isRefused(change)) return change;
    const campaign = await this.campaigns.known(context, idOrName);
    if (isRefused(campaign)) return campaign;
    const of = { campaignId: campaign.id, id };
    const stored = await this.reads.find(context, of);
    if (isRefused(stored)) return stored;
    const namesCategory = body.category !== undefined || body.category_id !== undefined;
    const category = namesCategory ? await this.campaigns.category(context, ids, body) : undefined;
    if (isRefused(category)) return category;
    const wanted = { change, ...(category === undefined ? {} : { category }) };
    return this.answer(context, await this.handlers.update(context, of, wanted));
  }

  @Delete('v1/promotions/:campaignId/stacks/:stackId')
  @HttpCode(204)
  @Operation({
    id: 'deletePromotionStack',
    refuses: ['not_found', 'invalid_campaign'],
    pathExample: { campaignId: 'Weekdays' },
    summary: 'Deletes a promotion stack',
    description: 'For good: a stack is never in the bin. Its tiers stay.',
    answers: { 204: null },
  })
  async delete(
    @Ctx() context: RequestContext,
    @Param('campaignId') idOrName: string,
    @Param('stackId') id: string,
  ): Promise<PromotionsRefusal | undefined> {
    const campaign = await this.campaigns.known(context, idOrName);
    if (isRefused(campaign)) return campaign;
    const deleted = await this.handlers.delete(context, { campaignId: campaign.id, id });
    return isRefused(deleted) ? deleted : undefined;
  }

  private async answer(context: RequestContext, found: PromotionStackSnapshot | PromotionsRefusal) {
    if (isRefused(found)) return found;
    const [shown] = await this.campaigns.withCategories(context, [found]);
    return renderStack(shown!);
  }

  private async page(context: RequestContext, { stacks, total }: StackPage) {
    const shown = await this.campaigns.withCategories(context, stacks);
    return listOf('data', shown.map(renderStack), { total });
  }
}
