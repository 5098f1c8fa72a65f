import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { topics } from '@scrip/contracts/registry';
import type { StoredEvent } from '@scrip/event-store';
import { Consumes, type EventBatch } from '@scrip/messaging';
import { InternalContexts } from '@scrip/tasks';
import { AssignmentEnds } from './assignment-ends';

interface Gone {
  objects: string[];
  campaigns: string[];
}

type Deleted = Partial<Record<'campaign' | 'voucher' | 'promotion_tier', { id: string } | null>>;

const hear = (gone: Gone, { type, data }: StoredEvent): void => {
  const { campaign, voucher, promotion_tier: tier } = data as Deleted;
  if (type === 'CampaignDeleted' && campaign) gone.campaigns.push(campaign.id);
  else if (type === 'VoucherDeleted' && voucher) gone.objects.push(voucher.id);
  else if (type === 'PromotionTierDeleted' && tier) gone.objects.push(tier.id);
};

/** Takes rules off what is deleted. A campaign's vouchers and tiers go with it: those without events of their own have none of their
 *  deletion. Source: reference 02 §5. */
@Controller()
export class DeletionsConsumer {
  constructor(
    private readonly contexts: InternalContexts,
    private readonly ends: AssignmentEnds,
  ) {}

  @Consumes([topics.campaign, topics.voucher, topics.promotionTier], { group: 'qualification.assignments' })
  async deleted(@Payload() batch: EventBatch): Promise<void> {
    const byProject = new Map<string, Gone>();
    for (const event of batch.events) {
      const gone = byProject.get(event.projectId) ?? { objects: [], campaigns: [] };
      hear(gone, event);
      byProject.set(event.projectId, gone);
    }
    for (const [projectId, gone] of byProject) {
      if (gone.objects.length + gone.campaigns.length === 0) continue;
      const context = await this.contexts.of(projectId);
      if (context) await this.ends.of(context, gone);
    }
  }
}
