import { Controller, Get, Param, Query } from '@nestjs/common';
import {
  type QualificationPort,
  qualificationPort,
  type ValidationsWanted,
} from '@scrip/contracts/qualification';
import { ContextOf, Ctx, Operation, Refusals } from '@scrip/edge';
import { isRefused, type RequestContext } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import { InjectListReader, type ListReader } from '@scrip/service';
import { renderCampaignSummary } from '@scrip/wire/campaigns';
import { CampaignReads } from '../campaign/campaign.reads';
import { campaignsRefusals } from '../campaigns.refusals';
import { PromotionTiers } from '../promotion/promotion-tiers';
import { summedSql } from './campaign-summaries.table';
import { daysMustBeInOrder, SummaryQuery } from './summary.query';
import type { Sums } from './summed';

/** What happened in a campaign. Source: reference 04 §4.9. */
@Controller('/v1/campaigns')
@ContextOf('campaigns')
@Refusals(campaignsRefusals)
export class SummaryHttp {
  constructor(
    @InjectListReader('campaigns') private readonly lists: ListReader,
    private readonly campaigns: CampaignReads,
    private readonly tiers: PromotionTiers,
    @InjectPort(qualificationPort) private readonly qualification: QualificationPort,
  ) {}

  @Get(':campaignId/summary')
  @Operation({
    id: 'summariseCampaign',
    refuses: ['not_found'],
    summary: 'Sums what happened in a campaign',
    description:
      'From `start_date` to `end_date`, both inclusive, in the project’s time zone; without a day there is no bound. The sums follow what happens within seconds.',
    answers: { 200: 'CampaignSummaryResponse' },
  })
  async get(
    @Ctx() context: RequestContext,
    @Param('campaignId') idOrName: string,
    @Query() query: SummaryQuery,
  ) {
    const wrong = daysMustBeInOrder(query);
    if (wrong) return wrong;
    const campaign = await this.campaigns.find(context, idOrName);
    if (isRefused(campaign)) return campaign;
    const { start_date = null, end_date = null } = query;
    const wanted = { campaign_id: campaign.id, start_date, end_date };
    const [[rendered], sums, validations] = await Promise.all([
      this.tiers.rendered(context, [{ ...campaign, categories: [] }]),
      this.sumsOf(context, wanted),
      this.qualification.countValidations(context, wanted),
    ]);
    return renderCampaignSummary(rendered!, sums, validations);
  }

  private async sumsOf(
    context: RequestContext,
    { campaign_id, start_date, end_date }: ValidationsWanted,
  ): Promise<Sums> {
    const { id, timezone } = context.project;
    const values = [id, campaign_id, start_date, end_date, timezone];
    const [row] = await this.lists.rows<Record<keyof Sums, string>>(context, { text: summedSql, values });
    return Object.fromEntries(Object.entries(row!).map(([name, sum]) => [name, Number(sum)])) as Sums;
  }
}
