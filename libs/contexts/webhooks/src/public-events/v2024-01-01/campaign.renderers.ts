import type {
  CampaignCreated,
  CampaignDeleted,
  CampaignDisabled,
  CampaignEnabled,
  CampaignUpdated,
  CampaignVouchersAdded,
  VoucherGenerationCompleted,
  VoucherGenerationFailed,
  VoucherGenerationStarted,
} from '@scrip/contracts/campaigns';
import { renderCampaign, simpleCampaign } from '@scrip/wire/campaigns';
import { rendererOf } from '../renderer';

/** Kinds about campaigns and their codes. Source: reference 06 §3. */
export const campaignRenderers = [
  rendererOf<CampaignCreated>({
    kind: 'campaign.created',
    of: 'CampaignCreated',
    render: ({ campaign }) => ({
      entityId: campaign.id,
      data: { campaign: renderCampaign(campaign), created_at: campaign.created_at },
    }),
  }),
  rendererOf<CampaignUpdated>({
    kind: 'campaign.updated',
    of: 'CampaignUpdated',
    render: ({ campaign }) => ({ entityId: campaign.id, data: { campaign: renderCampaign(campaign) } }),
  }),
  rendererOf<CampaignEnabled>({
    kind: 'campaign.enabled',
    of: 'CampaignEnabled',
    render: ({ campaign }) => ({ entityId: campaign.id, data: { campaign: renderCampaign(campaign) } }),
  }),
  rendererOf<CampaignDisabled>({
    kind: 'campaign.disabled',
    of: 'CampaignDisabled',
    render: ({ campaign }) => ({ entityId: campaign.id, data: { campaign: renderCampaign(campaign) } }),
  }),
  rendererOf<CampaignDeleted>({
    kind: 'campaign.deleted',
    of: 'CampaignDeleted',
    render: ({ campaign, deleted_at }) => ({
      entityId: campaign.id,
      data: { campaign: renderCampaign(campaign, deleted_at), deleted_at },
    }),
  }),
  rendererOf<VoucherGenerationStarted>({
    kind: 'campaign.vouchers.generation.started',
    of: 'VoucherGenerationStarted',
    render: ({ campaign, count, started_at }) => ({
      entityId: campaign.id,
      data: { campaign: simpleCampaign(campaign), count, started_at },
    }),
  }),
  rendererOf<VoucherGenerationCompleted>({
    kind: 'campaign.vouchers.generation.completed',
    of: 'VoucherGenerationCompleted',
    render: ({ campaign, count, completed_at }) => ({
      entityId: campaign.id,
      data: { campaign: simpleCampaign(campaign), count, completed_at },
    }),
  }),
  rendererOf<VoucherGenerationFailed>({
    kind: 'campaign.vouchers.generation.failed',
    of: 'VoucherGenerationFailed',
    render: ({ campaign, count, failed_at, error }) => ({
      entityId: campaign.id,
      data: { campaign: simpleCampaign(campaign), count, failed_at, error },
    }),
  }),
  rendererOf<CampaignVouchersAdded>({
    kind: 'campaign.vouchers.added',
    of: 'CampaignVouchersAdded',
    render: ({ campaign, count, added_at }) => ({
      entityId: campaign.id,
      data: { campaign: simpleCampaign(campaign), count, added_at },
    }),
  }),
];
