import { Injectable } from '@nestjs/common';
import type { CampaignCreated, CampaignEvent } from '@scrip/contracts/campaigns';
import type { ChangedCampaign, PromotionCampaign } from '@scrip/contracts/promotions';
import { type AggregateStore, EventStore, InjectEventStore } from '@scrip/event-store';
import { isRefused, type Refusal, refuse, type RequestContext } from '@scrip/kernel';
import { campaignAggregate, campaignNotFound } from '../campaign/campaign.aggregate';
import type { CampaignState } from '../campaign/campaign.decider';
import { CampaignReads } from '../campaign/campaign.reads';

/** What the context of tiers asks about campaigns. */
@Injectable()
export class PromotionCampaigns {
  private readonly campaigns: AggregateStore<CampaignState, CampaignEvent>;

  constructor(
    @InjectEventStore('campaigns') private readonly store: EventStore,
    private readonly reads: CampaignReads,
  ) {
    this.campaigns = store.aggregate(campaignAggregate);
  }

  /** A promotion campaign as it is now, a deleted one too; null for campaigns of other kinds. */
  async changed({ project }: RequestContext, id: string): Promise<ChangedCampaign | null> {
    const loaded = await this.campaigns.load(project.id, id);
    if (loaded?.state.campaign.campaign_type !== 'PROMOTION') return null;
    const { state, version, epoch } = loaded;
    return { campaign: state.campaign, version, epoch, deleted_at: state.deleted_at ?? null };
  }

  /** Refuses `not_found`, and `invalid_campaign` for a campaign of another kind. Source: reference 04 §10, §15. */
  async load(
    context: RequestContext,
    idOrName: string,
  ): Promise<PromotionCampaign | Refusal<'not_found' | 'invalid_campaign'>> {
    const { project } = context;
    const found = await this.reads.find(context, idOrName);
    if (isRefused(found)) return campaignNotFound(idOrName);
    if (found.campaign_type !== 'PROMOTION')
      return refuse('invalid_campaign', `Campaign ${found.id} is not a promotion campaign.`);
    const [loaded, [first]] = await Promise.all([
      this.campaigns.load(project.id, found.id),
      this.store.readStream(campaignAggregate.aggregate, project.id, found.id),
    ]);
    if (!loaded || !first) return campaignNotFound(idOrName);
    const { tiers = [] } = first.data as CampaignCreated['data'];
    return { campaign: loaded.state.campaign, version: loaded.version, epoch: loaded.epoch, tiers };
  }
}
