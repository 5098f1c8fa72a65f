import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { PublicationEvent, ReferralEvent } from '@scrip/contracts/campaigns';
import { type AggregateStore, type EventStore, InjectEventStore } from '@scrip/event-store';
import { type IdSource, type RequestContext, isRefused } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import type { CampaignsRefusalKey } from '../campaigns.refusals';
import { publicationAggregate } from '../publication/publication.aggregate';
import type { PublicationState } from '../publication/publication.decider';
import { type Convert, converts, refer, type ReferralState, revoke } from './conversion.decider';
import { holderInserted, holdersAmong, publicationOf } from '../holder/holder.table';
import { assignReferees } from './referee.decider';
import { referralAggregate, referralIdOf } from './referral.aggregate';

/** The event that a conversion follows from. `eventIds`: derived from that event, so that a repetition has the same ids. */
export interface Occasion {
  context: RequestContext;
  causationId: string;
  eventIds: IdSource;
}

/** Refers customers. A call repeated for the same event, wherever it broke off, has the effect of one.
 *  Source: reference 04 §11, ADR 129. */
@Injectable()
export class Conversions {
  private readonly referrals: AggregateStore<ReferralState, ReferralEvent>;
  private readonly publications: AggregateStore<PublicationState, PublicationEvent>;

  constructor(
    @InjectEventStore('campaigns') store: EventStore,
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
  ) {
    this.referrals = store.aggregate(referralAggregate);
    this.publications = store.aggregate(publicationAggregate);
  }

  /** Refers the customer where the cause converts and the customer was not referred in the campaign before; then the customer gets
   *  a part in the code, unless it has one. */
  async convert(occasion: Occasion, command: Convert): Promise<void> {
    if (!converts(command)) return;
    const { campaign, customer_id } = command;
    const referred = await this.referrals.execute<boolean, never>({
      ...occasion,
      streamId: referralIdOf(campaign.id, customer_id),
      repeated: () => true,
      decide: (state) => {
        const events = refer(command, state);
        return { events, answer: events.length > 0 };
      },
    });
    if (referred === true) await this.addReferee(occasion, command);
  }

  /** Takes back what a redemption made of a customer in a campaign. */
  async takeBack(
    occasion: Occasion,
    {
      campaignId,
      customerId,
      redemptionId,
    }: { campaignId: string; customerId: string; redemptionId: string },
  ): Promise<void> {
    await this.referrals.execute<null, never>({
      ...occasion,
      streamId: referralIdOf(campaignId, customerId),
      repeated: () => null,
      decide: (state) => ({ events: revoke(redemptionId, state), answer: null }),
    });
  }

  private async addReferee(
    { context, causationId, eventIds }: Occasion,
    { voucher, campaign, customer_id, at }: Convert,
  ): Promise<void> {
    const projectId = context.project.id;
    const publication_id = await publicationOf(this.dataSource, projectId, voucher.id);
    if (publication_id === null) throw new Error(`voucher ${voucher.id} has a referrer and no publication`);
    const holder_id = eventIds.next('rh_', 'referee');
    const wanted = { voucherId: voucher.id, customerIds: [customer_id] };
    await this.publications.executeLocked<null, CampaignsRefusalKey>({
      context,
      causationId,
      streamId: publication_id,
      decide: async (_state, read) => {
        const existing = await holdersAmong(read, projectId, wanted);
        const referees = [{ customer_id, holder_id }];
        const command = { publication_id, voucher, campaign, referees, metadata: {}, now: at };
        const events = existing.length > 0 ? [] : assignReferees(command, existing);
        if (isRefused(events)) return events;
        const rows = events.map(({ data: { holder } }) => holderInserted(projectId, holder));
        return { events, rows, answer: null };
      },
    });
  }
}
