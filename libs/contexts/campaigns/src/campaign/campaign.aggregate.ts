import type { CampaignEvent } from '@scrip/contracts/campaigns';
import type { AggregateDefinition } from '@scrip/event-store';
import { notFound, refuse } from '@scrip/kernel';
import { type CampaignState, evolveCampaign } from './campaign.decider';

/** How campaigns are stored. Names are unique in a project. */
export const campaignAggregate: AggregateDefinition<CampaignState, CampaignEvent> = {
  aggregate: 'campaign',
  table: 'campaigns',
  evolve: evolveCampaign,
  columns: {
    name: { type: 'text', of: ({ campaign, permanently }) => (permanently ? null : campaign.name) },
    campaign_type: { type: 'text', of: ({ campaign }) => campaign.campaign_type },
    type: { type: 'text', of: ({ campaign }) => campaign.type },
    voucher_type: { type: 'text', of: ({ campaign }) => campaign.voucher?.type ?? null },
    is_referral_code: { type: 'boolean', of: ({ campaign }) => campaign.voucher?.is_referral_code ?? false },
    creation_status: { type: 'text', of: ({ campaign }) => campaign.creation_status },
    vouchers_generation_status: {
      type: 'text',
      of: ({ campaign }) => campaign.vouchers_generation_status,
    },
    metadata: { type: 'jsonb', of: ({ campaign }) => campaign.metadata },
    active: { type: 'boolean', of: ({ campaign }) => campaign.active },
    category_id: { type: 'text', of: ({ campaign }) => campaign.category_id },
    category: { type: 'text', of: ({ campaign }) => campaign.category },
    start_date: { type: 'timestamptz', of: ({ campaign }) => campaign.start_date },
    expiration_date: { type: 'timestamptz', of: ({ campaign }) => campaign.expiration_date },
    deleted_at: { type: 'timestamptz', of: ({ deleted_at }) => deleted_at },
    revision: { type: 'int', of: ({ revision = 0 }) => revision },
    created_at: { type: 'timestamptz', of: ({ campaign }) => campaign.created_at },
    updated_at: { type: 'timestamptz', of: ({ campaign }) => campaign.updated_at },
  },
  conflicts: {
    campaigns_name: ({ campaign }) => duplicateCampaign(campaign.name),
  },
};

/** A campaign of that name exists. Source: reference 04 §1. */
export const duplicateCampaign = (name: string) =>
  refuse('duplicate_found', `Duplicated campaign exists with name ${name}`, {
    resourceId: name,
    resourceType: 'campaign',
  });

/** No campaign has that id or name. */
export const campaignNotFound = (idOrName: string) => notFound('campaign', idOrName);
