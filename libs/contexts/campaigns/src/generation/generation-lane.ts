/** The campaign whose code orders a job works off. */
export interface CampaignToGenerate {
  project_id: string;
  campaign_id: string;
}

const lanes = 256;

/** The serial lane of a campaign: some campaigns share one. */
export const laneOf = (campaignId: string): string => {
  let hash = 0;
  for (const character of campaignId) hash = (hash * 31 + character.charCodeAt(0)) % lanes;
  return `generation-${hash}`;
};
