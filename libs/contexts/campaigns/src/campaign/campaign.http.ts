import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import type { CampaignSnapshot } from '@scrip/contracts/campaigns';
import { ContextOf, Ctx, Ids, Operation, Refusals, listOf } from '@scrip/edge';
import { type IdSource, type RequestContext, isRefused } from '@scrip/kernel';
import { BinEntryReads } from '@scrip/trash-bin';
import { type CampaignsRefusal, campaignsRefusals } from '../campaigns.refusals';
import { CreatePromotion } from '../promotion/create-promotion';
import { PromotionTiers } from '../promotion/promotion-tiers';
import { campaignTypeOf } from './kinds/kinds';
import { CampaignListQuery } from './campaign-list.query';
import { CreateCampaignBody } from './campaign.dto';
import { CampaignReads } from './campaign.reads';
import { CreateCampaign } from './create-campaign';

/** Lists show no categories unless they are asked for. Source: reference 04 §4.2. */
const withCategories = (campaign: CampaignSnapshot, expand: string | undefined): CampaignSnapshot =>
  expand === 'category' ? campaign : { ...campaign, categories: [] };

@Controller('/v1/campaigns')
@ContextOf('campaigns')
@Refusals(campaignsRefusals)
export class CampaignHttp {
  constructor(
    private readonly creation: CreateCampaign,
    private readonly promotions: CreatePromotion,
    private readonly reads: CampaignReads,
    private readonly tiers: PromotionTiers,
    private readonly bin: BinEntryReads,
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
      updateCampaign: { campaignId: '/id' },
      listTiersOfCampaign: { campaignId: '/id' },
      createPromotionTier: { campaignId: '/id' },
      listStacksOfCampaign: { campaignId: '/id' },
      createPromotionStack: { campaignId: '/id' },
      enableCampaign: { campaignId: '/id' },
      disableCampaign: { campaignId: '/id' },
      deleteCampaign: { campaignId: '/id' },
      listTransactionsOfCampaign: { campaignId: '/id' },
      summariseCampaign: { campaignId: '/id' },
      exportTransactionsOfCampaign: { campaignId: '/id' },
      addVoucher: { campaignId: '/id' },
      addVouchers: { campaignId: '/id' },
      importCampaignVouchers: { campaignId: '/id' },
      importCampaignVouchersFile: { campaignId: '/id' },
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
    const creation = campaignTypeOf(body) === 'PROMOTION' ? this.promotions : this.creation;
    const created = await creation.create(context, ids, body);
    return this.rendered(context, await this.bin.telling(context, created));
  }

  @Get(':campaignId')
  @Operation({
    id: 'getCampaign',
    refuses: [],
    links: {
      addVoucher: { campaignId: '/id' },
      addVouchers: { campaignId: '/id' },
      importCampaignVouchers: { campaignId: '/id' },
      listTransactionsOfCampaign: { campaignId: '/id' },
      importCampaignVouchersFile: { campaignId: '/id' },
    },
    summary: 'Shows a campaign',
    description: 'Named by its id or its name.',
    answers: { 200: 'CampaignResponse' },
  })
  async get(@Ctx() context: RequestContext, @Param('campaignId') idOrName: string) {
    return this.rendered(context, await this.reads.find(context, idOrName));
  }

  @Get()
  @Operation({
    id: 'listCampaigns',
    refuses: [],
    links: {
      getCampaign: { campaignId: '/campaigns/0/id' },
      deleteCampaign: { campaignId: '/campaigns/0/id' },
    },
    summary: 'Lists campaigns',
    description:
      'By pages, or further: `starting_after_id` goes on behind a campaign, in the order of creation.',
    answers: { 200: { list: 'campaigns', of: 'CampaignResponse', counts: ['total'] } },
  })
  async list(@Ctx() context: RequestContext, @Query() query: CampaignListQuery) {
    const found = await this.reads.list(context, query);
    if (isRefused(found)) return found;
    const listed = found.campaigns.map((campaign) => withCategories(campaign, query.expand));
    return listOf('campaigns', await this.tiers.rendered(context, listed), { total: found.total });
  }

  private async rendered(context: RequestContext, campaign: CampaignSnapshot | CampaignsRefusal) {
    if (isRefused(campaign)) return campaign;
    const [rendered] = await this.tiers.rendered(context, [campaign]);
    return rendered!;
  }
}
