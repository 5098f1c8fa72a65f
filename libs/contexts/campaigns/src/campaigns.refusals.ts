import type { RefusalTableOf } from '@scrip/edge';
import type { Refusal } from '@scrip/kernel';

/** What campaigns refuse with; claims refuse with `OwnerRefusalKey`. */
export type CampaignsRefusalKey =
  | 'not_found'
  | 'duplicate_found'
  | 'invalid_payload'
  | 'invalid_query_params'
  | 'invalid_campaign'
  | 'invalid_code_config'
  | 'missing_required_feature'
  | 'metadata_validation_failed';

/** A refusal of campaigns. */
export type CampaignsRefusal = Refusal<CampaignsRefusalKey>;

/** Status and message of each. Source: reference 04 §1–§4. */
export const campaignsRefusals = {
  invalid_campaign: { status: 400, message: 'Invalid Campaign' },
  invalid_code_config: { status: 400, message: 'Invalid Code Config' },
} satisfies RefusalTableOf<CampaignsRefusalKey>;
