import type { CampaignSnapshot, VoucherTemplate } from '@scrip/contracts/campaigns';
import type { CategorySnapshot, Metadata } from '@scrip/contracts/snapshot';
import { categoryFields } from '@scrip/incentives';

/** What a call that adds codes changes of what they inherit. Absent = inherited; null takes away what would be
 *  inherited, e.g. a limit. Source: reference 04 §1, §4.6. */
export interface VoucherOverrides {
  category?: CategorySnapshot | null | undefined;
  metadata?: Metadata | undefined;
  quantity?: number | null | undefined;
  additional_info?: string | null | undefined;
  start_date?: string | null | undefined;
  expiration_date?: string | null | undefined;
}

const categoryOf = (campaign: CampaignSnapshot, { category }: VoucherOverrides) =>
  category === undefined
    ? { category_id: campaign.category_id, category: campaign.category, categories: campaign.categories }
    : categoryFields(category);

/** Campaign metadata that vouchers take over. Source: reference 04 §2.1. */
const inheritedMetadata = ({ use_voucher_metadata_schema, metadata }: CampaignSnapshot): Metadata =>
  use_voucher_metadata_schema ? metadata : {};

/** How a key of metadata is named among the fields that a call sets itself. Source: ADR 68. */
export const metadataField = (key: string): string => `metadata.${key}`;

/** The names of the template's fields that a call sets itself; of metadata each key that it gives or takes away. Source:
 *  ADR 68. */
export const ownTemplateFields = (
  { category, metadata, quantity, ...dates }: VoucherOverrides,
  campaign: CampaignSnapshot,
): string[] => [
  ...(category === undefined ? [] : ['category', 'category_id', 'categories']),
  ...(metadata === undefined
    ? []
    : Object.keys({ ...inheritedMetadata(campaign), ...metadata })
        .sort()
        .map(metadataField)),
  ...(quantity === undefined ? [] : ['redemption']),
  ...(['start_date', 'expiration_date'] as const).filter((name) => dates[name] !== undefined),
];

const givenOr = <T>(given: T | undefined, inherited: T): T => (given === undefined ? inherited : given);

/** What vouchers of a campaign begin with. Campaign metadata is passed on where it follows the voucher schema. Throws
 *  for campaigns without vouchers. Source: reference 04 §2.1, §4.1, §4.6. */
export const voucherTemplateOf = (
  campaign: CampaignSnapshot,
  overrides: VoucherOverrides = {},
): VoucherTemplate => {
  const { voucher } = campaign;
  if (!voucher) throw new Error(`campaign ${campaign.id} has no vouchers`);
  return {
    campaign_id: campaign.id,
    campaign: campaign.name,
    ...categoryOf(campaign, overrides),
    type: voucher.type,
    discount: voucher.discount,
    gift: voucher.gift,
    loyalty_card: voucher.loyalty_card,
    start_date: givenOr(overrides.start_date, campaign.start_date),
    expiration_date: givenOr(overrides.expiration_date, campaign.expiration_date),
    validity_timeframe: campaign.validity_timeframe,
    validity_day_of_week: campaign.validity_day_of_week,
    validity_hours: campaign.validity_hours,
    active: true,
    additional_info: overrides.additional_info ?? null,
    metadata: overrides.metadata ?? inheritedMetadata(campaign),
    is_referral_code: voucher.is_referral_code,
    holder_id: null,
    referrer_id: null,
    redemption: { quantity: givenOr(overrides.quantity, voucher.redemption.quantity), redeemed_quantity: 0 },
    publish: { count: 0 },
    updated_at: null,
  };
};
