import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { BusinessClock, RequestContext } from '@scrip/kernel';
import { InjectBusinessClock } from '@scrip/service';
import type { DataSource } from 'typeorm';
import type { CampaignWrite } from './campaign-write';
import { PromotionCampaigns } from './promotion-campaigns.table';

/** The lock under which all writes of a campaign's tiers and stacks run one after another. Source: ADR 120, ADR 123. */
@Injectable()
export class CampaignLock {
  constructor(
    @InjectDataSource('promotions') private readonly dataSource: DataSource,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly campaigns: PromotionCampaigns,
  ) {}

  /** Runs `work` in a transaction that no other write of the campaign runs beside. Returns `gone` where the campaign is deleted
   *  or was not heard of. */
  hold<Answer, Gone>(
    context: RequestContext,
    campaignId: string,
    work: (write: CampaignWrite) => Promise<Answer>,
    gone: Gone,
  ): Promise<Answer | Gone> {
    const now = this.clock.now(context.project).toISOString();
    return this.dataSource.transaction(async (manager) => {
      const campaign = await this.campaigns.lock(manager, context.project.id, campaignId);
      return campaign ? work({ manager, context, campaign, now }) : gone;
    });
  }
}
