import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import type {
  CampaignCreated,
  CampaignDeleted,
  CampaignEvent,
  CampaignSnapshot,
} from '@scrip/contracts/campaigns';
import type { Instant } from '@scrip/contracts/snapshot';
import type { PromotionCampaign } from '@scrip/contracts/promotions';
import { topics } from '@scrip/contracts/registry';
import { parsePosition, type StoredEvent } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import { Consumes, type EventBatch } from '@scrip/messaging';
import { InternalContexts } from '@scrip/tasks';
import { type CampaignVersion, PromotionCampaigns } from './promotion-campaigns.table';

/** What a batch tells about the promotion campaigns of one project. */
interface Heard {
  created: PromotionCampaign[];
  /** The last version of each campaign. */
  versions: Map<string, CampaignVersion>;
  /** Those that were deleted, and when. */
  deleted: Map<string, Instant>;
}

const versionOf = ({ version, position }: StoredEvent, campaign: CampaignSnapshot): CampaignVersion => ({
  campaign,
  version,
  epoch: Number(parsePosition(position).epoch),
});

const hear = (heard: Heard, event: StoredEvent): void => {
  const { campaign } = event.data as { campaign?: CampaignSnapshot };
  if (campaign?.campaign_type !== 'PROMOTION') return;
  const version = versionOf(event, campaign);
  heard.versions.set(campaign.id, version);
  const type = event.type as CampaignEvent['type'];
  if (type === 'CampaignDeleted') {
    heard.deleted.set(campaign.id, (event.data as CampaignDeleted['data']).deleted_at);
  } else if (type === 'CampaignCreated') {
    const { tiers = [] } = event.data as CampaignCreated['data'];
    heard.created.push({ ...version, tiers });
  }
};

/** Stores promotion campaigns with the tiers they were created with, where the call that created one did not come to it, and
 *  keeps what tiers show of their campaign; the tiers of a deleted campaign go with it. Source: ADR 116. */
@Controller()
export class CampaignConsumer {
  constructor(
    private readonly contexts: InternalContexts,
    private readonly campaigns: PromotionCampaigns,
  ) {}

  @Consumes(topics.campaign, { group: 'promotions.campaigns' })
  async changes(@Payload() batch: EventBatch): Promise<void> {
    const byProject = new Map<string, Heard>();
    for (const event of batch.events) {
      const heard = byProject.get(event.projectId) ?? {
        created: [],
        versions: new Map(),
        deleted: new Map(),
      };
      hear(heard, event);
      byProject.set(event.projectId, heard);
    }
    const told: [RequestContext, Heard][] = [];
    for (const [projectId, heard] of byProject) {
      if (heard.versions.size === 0) continue;
      const context = await this.contexts.of(projectId);
      if (context) told.push([context, heard]);
    }
    if (told.length === 0) return;
    await batch.commit(async (manager) => {
      for (const [context, { created, versions, deleted }] of told) {
        if (created.length > 0) await this.campaigns.store(manager, context, created);
        await this.campaigns.refresh(manager, context.project.id, [...versions.values()]);
        for (const [id, deletedAt] of deleted)
          await this.campaigns.delete(manager, context, { ...versions.get(id)!, deletedAt });
      }
    });
  }
}
