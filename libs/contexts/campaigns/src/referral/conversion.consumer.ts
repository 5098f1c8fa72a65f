import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import type {
  RedemptionEvent,
  RedemptionRolledBack,
  RedemptionSucceeded,
} from '@scrip/contracts/qualification';
import { topics } from '@scrip/contracts/registry';
import type { StoredEvent } from '@scrip/event-store';
import { derivedIds } from '@scrip/kernel';
import { Consumes, type EventBatch } from '@scrip/messaging';
import { InternalContexts } from '@scrip/tasks';
import { Conversions, type Occasion } from './conversions';

type Told = RedemptionSucceeded | RedemptionRolledBack;

/** Whether an event is about the use of a referral code by a customer. */
const ofReferralCode = (event: StoredEvent): boolean => {
  const { type, data } = event as unknown as RedemptionEvent;
  if (type !== 'RedemptionSucceeded' && type !== 'RedemptionRolledBack') return false;
  return data.redemption.voucher?.is_referral_code === true && data.redemption.customer_id !== null;
};

/** Refers customers by their redemptions, and takes that back with a rollback. Source: reference 04 §11, §15. */
@Controller()
export class ConversionConsumer {
  constructor(
    private readonly contexts: InternalContexts,
    private readonly conversions: Conversions,
  ) {}

  /** In the order of the batch: a redemption comes before its rollback. */
  @Consumes(topics.redemption, { group: 'campaigns.referrals' })
  async redemptions(@Payload() batch: EventBatch): Promise<void> {
    for (const event of batch.events.filter(ofReferralCode)) await this.carryOut(event);
  }

  private async carryOut({ id, projectId, recordedAt, metadata, ...event }: StoredEvent): Promise<void> {
    const context = await this.contexts.of(projectId, metadata.correlation_id);
    if (!context) return;
    const eventIds = derivedIds({ createdAt: new Date(recordedAt), commandId: id });
    const occasion: Occasion = { context, causationId: id, eventIds };
    const { type, data } = event as unknown as Told;
    const { voucher, customer_id } = data.redemption;
    if (!voucher?.campaign_id || customer_id === null) return;
    if (type === 'RedemptionRolledBack') {
      const redemptionId = data.redemption.id;
      await this.conversions.takeBack(occasion, {
        campaignId: voucher.campaign_id,
        customerId: customer_id,
        redemptionId,
      });
      return;
    }
    const { campaign, redemption } = data;
    if (!campaign) return;
    const cause = { type: 'redemption', id: redemption.id } as const;
    await this.conversions.convert(occasion, { voucher, campaign, customer_id, cause, at: redemption.date });
  }
}
