import { Injectable } from '@nestjs/common';
import type { CampaignEvent } from '@scrip/contracts/campaigns';
import { type AggregateStore, EventStore, InjectEventStore } from '@scrip/event-store';
import { type BusinessClock, type IdSource, type RequestContext, isRefused } from '@scrip/kernel';
import { InjectBusinessClock } from '@scrip/service';
import type { CampaignsRefusal, CampaignsRefusalKey } from '../campaigns.refusals';
import { campaignAggregate } from './campaign.aggregate';
import { type CampaignState, decideCampaign } from './campaign.decider';
import { PromotionTiers } from '../promotion/promotion-tiers';
import { CampaignReads } from './campaign.reads';

/** Switches campaigns on and off. */
@Injectable()
export class SwitchCampaign {
  private readonly campaigns: AggregateStore<CampaignState, CampaignEvent>;

  constructor(
    @InjectEventStore('campaigns') store: EventStore,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly reads: CampaignReads,
    private readonly tiers: PromotionTiers,
  ) {
    this.campaigns = store.aggregate(campaignAggregate);
  }

  /** Answered, every use of the campaign's vouchers or tiers that begins later goes by the switch. Refuses `not_found`.
   *  Source: reference 04 §4.5. */
  async to(
    active: boolean,
    context: RequestContext,
    ids: IdSource,
    idOrName: string,
  ): Promise<CampaignsRefusal | null> {
    const found = await this.reads.locate(context, idOrName);
    if (isRefused(found)) return found;
    const now = this.clock.now(context.project).toISOString();
    const command = { type: 'SwitchCampaign', active, single_codes: found.single_codes, now } as const;
    const switched = await this.campaigns.execute<null, CampaignsRefusalKey>({
      context,
      streamId: found.id,
      eventIds: ids,
      repeated: () => null,
      decide: (state) => {
        const events = decideCampaign(command, state);
        return isRefused(events) ? events : { events, answer: null };
      },
    });
    if (!isRefused(switched)) await this.tiers.follow(context, found.id);
    return switched;
  }
}
