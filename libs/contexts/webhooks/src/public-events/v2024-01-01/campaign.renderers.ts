import type {
  CampaignCreated,
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
