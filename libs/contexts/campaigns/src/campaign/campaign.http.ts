import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import type { CampaignSnapshot } from '@scrip/contracts/campaigns';
import { ContextOf, Ctx, Ids, Operation, Refusals, listOf } from '@scrip/edge';
import { type IdSource, type RequestContext, isRefused } from '@scrip/kernel';
import { renderCampaign } from '@scrip/wire/campaigns';
import { campaignsRefusals } from '../campaigns.refusals';
import { CampaignListQuery } from './campaign-list.query';
import { CreateCampaignBody } from './campaign.dto';
import { CampaignReads } from './campaign.reads';
import { CreateCampaign } from './create-campaign';

/** Lists show no categories unless they are asked for. Source: reference 04 §4.2. */
const listed = (campaign: CampaignSnapshot, expand: string | undefined) =>
  renderCampaign(expand === 'category' ? campaign : { ...campaign, categories: [] });

@Controller('/v1/campaigns')
@ContextOf('campaigns')
@Refusals(campaignsRefusals)
export class CampaignHttp {
  constructor(
    private readonly creation: CreateCampaign,
    private readonly reads: CampaignReads,
  ) {}

  @Post()
  @Operation({
    id: 'createCampaign',
    refuses: [
      'invalid_campaign',
      'invalid_code_config',
      'missing_required_feature',
      'metadata_validation_failed',
      'not_found',
      'duplicate_found',
    ],
    links: {
      getCampaign: { campaignId: '/id' },
      addVoucher: { campaignId: '/id' },
      addVouchers: { campaignId: '/id' },
    },
    summary: 'Creates a campaign',
    description: 'With more than one code, a background task makes them: see GET /v1/async-actions.',
    example: {
      name: 'Spring',
      campaign_type: 'DISCOUNT_COUPONS',
      vouchers_count: 10,
      voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
    },
    answers: { 200: 'CampaignResponse' },
  })
  async create(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() body: CreateCampaignBody) {
    const campaign = await this.creation.create(context, ids, body);
    return isRefused(campaign) ? campaign : renderCampaign(campaign);
  }

  @Get(':campaignId')
  @Operation({
    id: 'getCampaign',
    refuses: [],
    links: { addVoucher: { campaignId: '/id' }, addVouchers: { campaignId: '/id' } },
    summary: 'Shows a campaign',
    description: 'Named by its id or its name.',
    answers: { 200: 'CampaignResponse' },
  })
  async get(@Ctx() context: RequestContext, @Param('campaignId') idOrName: string) {
    const campaign = await this.reads.find(context, idOrName);
    return isRefused(campaign) ? campaign : renderCampaign(campaign);
  }

  @Get()
  @Operation({
    id: 'listCampaigns',
    refuses: [],
    links: { getCampaign: { campaignId: '/campaigns/0/id' } },
    summary: 'Lists campaigns',
    answers: { 200: { list: 'campaigns', of: 'CampaignResponse', counts: ['total'] } },
  })
  async list(@Ctx() context: RequestContext, @Query() query: CampaignListQuery) {
    const found = await this.reads.list(context, query);
    if (isRefused(found)) return found;
    const campaigns = found.campaigns.map((campaign) => listed(campaign, query.expand));
    return listOf('campaigns', campaigns, { total: found.total });
  }
}
