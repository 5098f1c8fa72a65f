import { Body, Controller, Param, Post, Put } from '@nestjs/common';
import { ContextOf, Ctx, Ids, Operation, Refusals } from '@scrip/edge';
import { type IdSource, type RequestContext, isRefused } from '@scrip/kernel';
import { campaignsRefusals } from '../campaigns.refusals';
import { PromotionTiers } from '../promotion/promotion-tiers';
import { UpdateCampaignBody } from '../updating/update.dto';
import { UpdateCampaign } from '../updating/update-campaign';
import { SwitchCampaign } from './switch-campaign';

/** An empty object. */
const nothing = { 200: { media: { 'application/json': { type: 'object' } } } } as const;

@Controller('/v1/campaigns/:campaignId')
@ContextOf('campaigns')
@Refusals(campaignsRefusals)
export class CampaignChangesHttp {
  constructor(
    private readonly switching: SwitchCampaign,
    private readonly updating: UpdateCampaign,
    private readonly tiers: PromotionTiers,
  ) {}

  @Put()
  @Operation({
    id: 'updateCampaign',
    refuses: ['invalid_campaign', 'missing_required_feature', 'metadata_validation_failed', 'not_found'],
    links: { getCampaign: { campaignId: '/id' } },
    summary: 'Changes a campaign',
    description:
      'Named by its id or its name. What is absent stays, null clears. Vouchers that are neither published nor redeemed follow; those with a history of their own by a background task: see GET /v1/async-actions.',
    example: { expiration_date: '2099-01-01T00:00:00.000Z', metadata: { season: 'summer' } },
    answers: { 200: 'CampaignResponse' },
  })
  async update(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Param('campaignId') idOrName: string,
    @Body() body: UpdateCampaignBody,
  ) {
    const campaign = await this.updating.update(context, ids, idOrName, body);
    if (isRefused(campaign)) return campaign;
    const [rendered] = await this.tiers.rendered(context, [campaign]);
    return rendered!;
  }

  @Post('enable')
  @Operation({
    id: 'enableCampaign',
    refuses: [],
    summary: 'Switches a campaign on',
    description: 'Named by its id or its name. A campaign that is on stays so.',
    answers: nothing,
  })
  async enable(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Param('campaignId') idOrName: string) {
    return (await this.switching.to(true, context, ids, idOrName)) ?? {};
  }

  @Post('disable')
  @Operation({
    id: 'disableCampaign',
    refuses: [],
    summary: 'Switches a campaign off',
    description:
      'Named by its id or its name. Once it is answered, its vouchers can be neither validated nor redeemed; they can be published.',
    answers: nothing,
  })
  async disable(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Param('campaignId') idOrName: string) {
    return (await this.switching.to(false, context, ids, idOrName)) ?? {};
  }
}
