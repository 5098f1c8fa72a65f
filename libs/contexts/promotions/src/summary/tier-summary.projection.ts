import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import type { RedemptionEvent } from '@scrip/contracts/qualification';
import { topics } from '@scrip/contracts/registry';
import { Consumes, type EventBatch } from '@scrip/messaging';
import { addedToTier, addToTiers } from './tier-summary.table';

/** Keeps what redemptions of tiers add up to. Source: reference 04 §10. */
@Controller()
export class TierSummaryProjection {
  @Consumes(topics.redemption, { group: 'promotions.summaries', fills: ['tier_summaries'] })
  async redemptions(@Payload() batch: EventBatch): Promise<void> {
    const added = batch.events.flatMap(
      ({ projectId, ...event }) => addedToTier(projectId, event as unknown as RedemptionEvent) ?? [],
    );
    if (added.length > 0) await batch.commit((manager) => addToTiers(manager, added));
  }
}
