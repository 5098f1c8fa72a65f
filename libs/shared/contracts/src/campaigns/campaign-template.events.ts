import type { CampaignTemplateSnapshot } from './campaign-template.snapshot';

/** Templates of campaigns and tiers: one stream per template. Source: reference 04 §12. */
export type CampaignTemplateEvent =
  CampaignTemplateCreated | CampaignTemplateUpdated | CampaignTemplateDeleted;

/** What a campaign or a tier consists of was kept for others to be made from. */
export interface CampaignTemplateCreated {
  type: 'CampaignTemplateCreated';
  data: {
    template: CampaignTemplateSnapshot;
    /** What it was made from, which may change or go. */
    source: TemplateSource;
  };
}

/** A campaign or tier of the project, or a template that was copied, with its project. */
export type TemplateSource =
  | { id: string; object: 'campaign' | 'promotion_tier' }
  | { id: string; object: 'campaign_template'; project_id: string };

/** A template got another name or description. */
export interface CampaignTemplateUpdated {
  type: 'CampaignTemplateUpdated';
  data: { template: CampaignTemplateSnapshot };
}

/** A template was deleted for good; its name is free. */
export interface CampaignTemplateDeleted {
  type: 'CampaignTemplateDeleted';
  data: {
    /** `camp_tpl_…` */
    template_id: string;
  };
}
