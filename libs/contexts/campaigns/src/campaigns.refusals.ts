import type { RefusalTableOf } from '@scrip/edge';
import type { Refusal } from '@scrip/kernel';
import { usabilityMessages } from '@scrip/vouchers';

/** What campaigns refuse with; claims refuse with `OwnerRefusalKey`. */
export type CampaignsRefusalKey =
  | 'not_found'
  | 'duplicate_found'
  | 'invalid_payload'
  | 'invalid_query_params'
  | 'invalid_campaign'
  | 'campaign_type_is_not_supported_by_campaign_template'
  | 'invalid_voucher'
  | 'invalid_code_config'
  | 'duplicate_key'
  | 'missing_vouchers'
  | 'too_many_vouchers_requested'
  | 'duplicate_source_id'
  | 'voucher_cannot_be_published'
  | 'voucher_already_published'
  | 'voucher_disabled'
  | 'no_voucher_suitable_for_publication'
  | 'multiple_requests'
  | 'missing_required_feature'
  | 'metadata_validation_failed'
  | 'resource_in_use'
  | 'invalid_add_balance_params'
  | 'not_published'
  | 'gift_amount_exceeded'
  | 'holder_assignement_duplication'
  | 'forbidden'
  | 'missing_required_permission';

/** A refusal of campaigns. */
export type CampaignsRefusal = Refusal<CampaignsRefusalKey>;

/** Status and message of each. Source: reference 04 §1–§4, §8. */
export const campaignsRefusals = {
  invalid_campaign: { status: 400, message: 'Invalid Campaign' },
  campaign_type_is_not_supported_by_campaign_template: {
    status: 400,
    message: 'Campaign type is not supported by campaign template',
  },
  invalid_voucher: { status: 400, message: 'Invalid Voucher' },
  invalid_code_config: { status: 400, message: 'Invalid Code Config' },
  duplicate_key: { status: 400, message: 'Duplicate codes' },
  invalid_add_balance_params: { status: 400, message: 'Invalid add balance params' },
  not_published: { status: 400, message: 'not published' },
  gift_amount_exceeded: { status: 400, message: 'gift amount exceeded' },
  holder_assignement_duplication: { status: 409, message: 'Holder assignment duplication' },
  missing_vouchers: { status: 400, message: 'Missing vouchers' },
  too_many_vouchers_requested: { status: 400, message: 'Too many vouchers requested' },
  duplicate_source_id: { status: 400, message: 'Duplicate source id' },
  voucher_cannot_be_published: { status: 400, message: 'Voucher cannot be published' },
  voucher_already_published: { status: 400, message: 'Voucher already published' },
  voucher_disabled: { status: 400, message: usabilityMessages.voucher_disabled },
  no_voucher_suitable_for_publication: {
    status: 400,
    message: "Couldn't find any voucher suitable for publication",
  },
} satisfies RefusalTableOf<CampaignsRefusalKey>;
