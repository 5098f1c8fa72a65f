import type { CampaignSnapshot } from '@scrip/contracts/campaigns';
import type { Instant } from '@scrip/contracts/snapshot';
import type { RequestContext } from '@scrip/kernel';
import type { EntityManager } from 'typeorm';

/** A write of what a campaign has, in the transaction that holds the campaign's lock. */
export interface CampaignWrite {
  manager: EntityManager;
  context: RequestContext;
  campaign: CampaignSnapshot;
  now: Instant;
}
