/** The key of a campaign: its project and its id. */
export interface CampaignKey {
  project_id: string;
  campaign_id: string;
}

/** The key as one text, for what is remembered of campaigns in memory. */
export const textOfKey = ({ project_id, campaign_id }: CampaignKey): string =>
  `${project_id}\n${campaign_id}`;
