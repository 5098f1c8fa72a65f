import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import type { CampaignEvent, VoucherCreated } from '@scrip/contracts/campaigns';
import { topics } from '@scrip/contracts/registry';
import { type AggregateStore, EventStore, InjectEventStore, type StoredEvent } from '@scrip/event-store';
import { derivedIds, isRefused } from '@scrip/kernel';
import { Consumes, type EventBatch } from '@scrip/messaging';
import { InternalContexts } from '@scrip/tasks';
import type { CampaignsRefusalKey } from '../campaigns.refusals';
import { campaignAggregate } from '../campaign/campaign.aggregate';
import { type CampaignState, decideCampaign } from '../campaign/campaign.decider';

/** Tells on the campaign's stream of codes that were added singly: the call that added one did not wait for it. */
@Controller()
export class AdditionsConsumer {
  private readonly campaigns: AggregateStore<CampaignState, CampaignEvent>;

  constructor(
    @InjectEventStore('campaigns') store: EventStore,
    private readonly contexts: InternalContexts,
  ) {
    this.campaigns = store.aggregate(campaignAggregate);
  }

  @Consumes(topics.voucher, { group: 'campaigns.additions' })
  async vouchers(@Payload() batch: EventBatch): Promise<void> {
    const additions = batch.events.filter(
      ({ type, data }) => type === 'VoucherCreated' && (data as VoucherCreated['data']).addition,
    );
    await Promise.all(additions.map((event) => this.note(event)));
  }

  /** Under ids derived from the event: told once, however often the event comes. */
  private async note({ id, projectId, recordedAt, metadata, data }: StoredEvent): Promise<void> {
    const { campaign, voucher } = data as VoucherCreated['data'];
    const context = await this.contexts.of(projectId, metadata.correlation_id);
    if (!campaign || !context) return;
    await this.campaigns.execute<null, CampaignsRefusalKey>({
      context,
      streamId: campaign.id,
      causationId: id,
      eventIds: derivedIds({ createdAt: new Date(recordedAt), commandId: id }),
      repeated: () => null,
      decide: (state) => {
        const events = decideCampaign({ type: 'NoteAddition', campaign, now: voucher.created_at }, state);
        return isRefused(events) ? events : { events, answer: null };
      },
    });
  }
}
