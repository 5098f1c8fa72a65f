import type { CampaignSnapshot, CampaignVoucherTemplate, CodeConfig } from '@scrip/contracts/campaigns';
import type { PromotionTiersResponse } from '../promotions/promotion-tier.wire';
import { noAssignments } from '../qualification/assignment.wire';

const renderCodeConfig = ({ length, charset, pattern, prefix, postfix }: CodeConfig) => ({
  length,
  charset,
  pattern,
  prefix,
  postfix,
});

/** How codes are made, as answers show it. */
export type CodeConfigResponse = ReturnType<typeof renderCodeConfig>;

const renderTemplate = (campaign: CampaignSnapshot, template: CampaignVoucherTemplate) => ({
  type: template.type,
  ...(template.discount ? { discount: template.discount } : {}),
  ...(template.gift ? { gift: template.gift } : {}),
  ...(template.loyalty_card ? { loyalty_card: template.loyalty_card } : {}),
  redemption: template.redemption,
  code_config: renderCodeConfig(template.code_config),
  is_referral_code: template.is_referral_code,
  ...(campaign.start_date ? { start_date: campaign.start_date } : {}),
  ...(campaign.expiration_date ? { expiration_date: campaign.expiration_date } : {}),
  ...(campaign.validity_timeframe ? { validity_timeframe: campaign.validity_timeframe } : {}),
  ...(campaign.validity_day_of_week ? { validity_day_of_week: campaign.validity_day_of_week } : {}),
  ...(campaign.validity_hours ? { validity_hours: campaign.validity_hours } : {}),
});

/** What each code of a campaign is made like, as answers show it. */
export type VoucherTemplateResponse = ReturnType<typeof renderTemplate>;

/** The top-level mirrors of `voucher` that older clients read. Source: reference 04 §2.1. */
const mirrorsOf = ({
  type,
  discount,
  gift,
  loyalty_card,
  redemption,
  code_config,
}: CampaignVoucherTemplate) => ({
  voucher_type: type,
  code_config: renderCodeConfig(code_config),
  voucher_code_config: renderCodeConfig(code_config),
  discount,
  gift,
  loyalty_card,
  default_voucher_redemption: { quantity: redemption.quantity },
});

/** A campaign as the API shows it; unset fields are null. `deletedAt`: only in what tells of its deletion. `promotion`: the
 *  tiers of a promotion campaign. `assignments`: of rules. Source: reference 04 §2.1. */
export const renderCampaign = (
  campaign: CampaignSnapshot,
  deletedAt: string | null = null,
  promotion?: PromotionTiersResponse,
  assignments = noAssignments(),
) => ({
  id: campaign.id,
  name: campaign.name,
  description: campaign.description,
  campaign_type: campaign.campaign_type,
  type: campaign.type,
  ...(campaign.voucher
    ? { voucher: renderTemplate(campaign, campaign.voucher), ...mirrorsOf(campaign.voucher) }
    : {}),
  ...(promotion ? { promotion } : {}),
  auto_join: campaign.auto_join,
  join_once: campaign.join_once,
  ...(campaign.referral_program ? { referral_program: campaign.referral_program } : {}),
  use_voucher_metadata_schema: campaign.use_voucher_metadata_schema,
  start_date: campaign.start_date,
  expiration_date: campaign.expiration_date,
  validity_timeframe: campaign.validity_timeframe,
  validity_day_of_week: campaign.validity_day_of_week,
  validity_hours: campaign.validity_hours,
  activity_duration_after_publishing: campaign.activity_duration_after_publishing,
  vouchers_count: campaign.vouchers_count,
  vouchers_count_invalid: campaign.vouchers_count_invalid,
  active: campaign.active,
  metadata: campaign.metadata,
  category: campaign.category,
  category_id: campaign.category_id,
  categories: campaign.categories,
  creation_status: campaign.creation_status,
  vouchers_generation_status: campaign.vouchers_generation_status,
  protected: campaign.protected,
  validation_rules_assignments: assignments,
  created_at: campaign.created_at,
  updated_at: campaign.updated_at,
  deleted: deletedAt !== null,
  deleted_at: deletedAt,
  object: 'campaign' as const,
});

/** What `renderCampaign` makes. */
export type CampaignResponse = ReturnType<typeof renderCampaign>;

/** The short form in webhooks and redemptions. Source: reference 06 §2. */
export const simpleCampaign = (campaign: CampaignSnapshot) => ({
  id: campaign.id,
  name: campaign.name,
  campaign_type: campaign.campaign_type,
  type: campaign.type,
  is_referral_code: campaign.voucher?.is_referral_code ?? false,
  ...(campaign.voucher
    ? {
        voucher: {
          type: campaign.voucher.type,
          ...(campaign.voucher.discount ? { discount: campaign.voucher.discount } : {}),
          ...(campaign.voucher.gift ? { gift: campaign.voucher.gift } : {}),
          ...(campaign.voucher.loyalty_card ? { loyalty_card: campaign.voucher.loyalty_card } : {}),
          redemption: { quantity: campaign.voucher.redemption.quantity, redeemed_quantity: 0 },
          code_config: renderCodeConfig(campaign.voucher.code_config),
        },
      }
    : {}),
  auto_join: campaign.auto_join,
  join_once: campaign.join_once,
  active: campaign.active,
  category_id: campaign.category_id,
  category: campaign.category,
  categories: campaign.categories,
  metadata: campaign.metadata,
  start_date: campaign.start_date,
  expiration_date: campaign.expiration_date,
  description: campaign.description,
  created_at: campaign.created_at,
  updated_at: campaign.updated_at,
  object: 'campaign' as const,
});

/** What `simpleCampaign` makes. */
export type SimpleCampaign = ReturnType<typeof simpleCampaign>;
