import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import type {
  CampaignEvent,
  PublicationEvent,
  ReferralEvent,
  VoucherEvent,
  VoucherImported,
} from '@scrip/contracts/campaigns';
import type { RedemptionEvent } from '@scrip/contracts/qualification';
import { topics } from '@scrip/contracts/registry';
import type { StoredEvent } from '@scrip/event-store';
import { Consumes, type EventBatch } from '@scrip/messaging';
import {
  type AdditionOf,
  addMadeCodes,
  addOwnAmounts,
  addToSummaries,
  type MadeCodes,
  type OwnAmount,
} from './campaign-summaries.table';
import { type Addition, ofPublication, ofRedemption, ofReferral, ofVoucher } from './summed';

const summaries = { group: 'campaigns.summaries', fills: ['campaign_summaries'] };

const additionsOf = <Event>(
  { events }: EventBatch,
  of: (event: Event) => readonly Addition[],
): AdditionOf[] =>
  events.flatMap(({ projectId: project_id, ...event }) =>
    of(event as unknown as Event).map((addition) => ({ project_id, ...addition })),
  );

const madeBy = ({ projectId: project_id, streamId: campaign_id, ...event }: StoredEvent): MadeCodes[] => {
  const { type, data } = event as unknown as CampaignEvent;
  if (type !== 'VouchersGenerated' && type !== 'VouchersImported') return [];
  const at = 'generated_at' in data ? data.generated_at : data.imported_at;
  const { definition_id, vouchers } = data;
  return [{ project_id, campaign_id, definition_id, count: vouchers.length, at }];
};

const ownAmountOf = ({
  projectId: project_id,
  streamId: voucher_id,
  type,
  data,
}: StoredEvent): OwnAmount[] => {
  if (type !== 'VoucherImported') return [];
  const { own, imported_at: at } = data as VoucherImported['data'];
  const amount = own.gift?.amount ?? own.loyalty_card?.points;
  return amount === undefined ? [] : [{ project_id, voucher_id, amount, at }];
};

/** Sums what happens in campaigns. Source: reference 04 §4.9, ADR 138. */
@Controller()
export class SummariesProjection {
  @Consumes(topics.redemption, summaries)
  async redemptions(@Payload() batch: EventBatch): Promise<void> {
    await this.add(batch, additionsOf<RedemptionEvent>(batch, ofRedemption));
  }

  @Consumes(topics.publication, summaries)
  async publications(@Payload() batch: EventBatch): Promise<void> {
    await this.add(batch, additionsOf<PublicationEvent>(batch, ofPublication));
  }

  @Consumes(topics.referral, summaries)
  async referrals(@Payload() batch: EventBatch): Promise<void> {
    await this.add(batch, additionsOf<ReferralEvent>(batch, ofReferral));
  }

  @Consumes(topics.voucher, summaries)
  async vouchers(@Payload() batch: EventBatch): Promise<void> {
    const additions = additionsOf<VoucherEvent>(batch, ofVoucher);
    const own = batch.events.flatMap(ownAmountOf);
    if (additions.length + own.length === 0) return;
    await batch.commit(async (manager) => {
      await addToSummaries(manager, additions);
      await addOwnAmounts(manager, own);
    });
  }

  @Consumes(topics.campaign, summaries)
  async campaigns(@Payload() batch: EventBatch): Promise<void> {
    const made = batch.events.flatMap(madeBy);
    if (made.length > 0) await batch.commit((manager) => addMadeCodes(manager, made));
  }

  private async add(batch: EventBatch, additions: readonly AdditionOf[]): Promise<void> {
    if (additions.length > 0) await batch.commit((manager) => addToSummaries(manager, additions));
  }
}
