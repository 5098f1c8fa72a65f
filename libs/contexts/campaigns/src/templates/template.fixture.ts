import type { CampaignTemplateSnapshot } from '@scrip/contracts/campaigns';
import { isRefused } from '@scrip/kernel';
import { campaignSnapshot } from '../campaign/campaign.fixture';
import { contentOfCampaign } from './template-content';

/** A template of the campaign of `campaignSnapshot`; further fields as given. */
export const templateSnapshot = (
  fields: Partial<CampaignTemplateSnapshot> = {},
): CampaignTemplateSnapshot => {
  const kept = contentOfCampaign(campaignSnapshot());
  if (isRefused(kept)) throw new Error('the campaign of fixtures is no source of templates');
  return {
    id: 'camp_tpl_1',
    name: 'Coupons',
    description: null,
    ...kept,
    created_at: '2026-03-31T10:00:00.000Z',
    updated_at: null,
    ...fields,
  };
};
