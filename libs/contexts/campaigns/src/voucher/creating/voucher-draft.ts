import type { CampaignSnapshot, VoucherTemplate, VoucherType } from '@scrip/contracts/campaigns';
import type { CategorySnapshot } from '@scrip/contracts/snapshot';
import { readDiscount, storedWindows, windowsMustBeSound, categoryFields } from '@scrip/incentives';
import { isRefused, refuse } from '@scrip/kernel';
import { newGift } from '../../campaign/kinds/gift-vouchers';
import { voucherTypeOf } from '../../campaign/kinds/kinds';
import { newLoyaltyCard } from '../../campaign/kinds/loyalty-program';
import type { CampaignsRefusal } from '../../campaigns.refusals';
import type { CreateVoucherBody } from './create-voucher.dto';

type Values = Pick<VoucherTemplate, 'type' | 'discount' | 'gift' | 'loyalty_card'>;

const missing = (path: string, type: VoucherType): CampaignsRefusal =>
  refuse('invalid_voucher', `Property '${path}' is required for ${type} voucher`);

const readers: Record<VoucherType, (body: CreateVoucherBody) => Omit<Values, 'type'> | CampaignsRefusal> = {
  DISCOUNT_VOUCHER: ({ discount: sent }) => {
    if (!sent) return missing('discount', 'DISCOUNT_VOUCHER');
    const discount = readDiscount(sent, '.discount');
    return isRefused(discount) ? discount : { discount, gift: null, loyalty_card: null };
  },
  GIFT_VOUCHER: ({ gift }) =>
    typeof gift?.amount === 'number'
      ? { discount: null, gift: newGift(gift), loyalty_card: null }
      : missing('gift.amount', 'GIFT_VOUCHER'),
  LOYALTY_CARD: ({ loyalty_card: card }) =>
    typeof card?.points === 'number'
      ? { discount: null, gift: null, loyalty_card: newLoyaltyCard(card) }
      : missing('loyalty_card.points', 'LOYALTY_CARD'),
};

const valuesOf = (body: CreateVoucherBody): Values | CampaignsRefusal => {
  const type = voucherTypeOf(body);
  if (!type) return refuse('invalid_voucher', "Property 'type' is required");
  const values = readers[type](body);
  return isRefused(values) ? values : { type, ...values };
};

/** The part of a voucher that its body says, without campaign and category. */
export interface VoucherDraft {
  body: CreateVoucherBody;
  values: Values;
}

/** Reads a body as a voucher. Refuses `invalid_payload` for windows that cannot be and for two categories, and
 *  `invalid_voucher` for a missing part. Source: reference 04 §5. */
export const draftVoucher = (body: CreateVoucherBody): VoucherDraft | CampaignsRefusal => {
  const misfit = windowsMustBeSound(body);
  if (misfit) return misfit;
  if (body.category && body.category_id) {
    return refuse('invalid_payload', 'Only one of .category and .category_id can be given');
  }
  const values = valuesOf(body);
  if (isRefused(values)) return values;
  return values.type === 'LOYALTY_CARD' && !body.campaign && !body.campaign_id
    ? missing('campaign', 'LOYALTY_CARD')
    : { body, values };
};

/** Refuses `invalid_campaign` for a campaign without codes, and for random codes of a generic one; `invalid_voucher` for
 *  a voucher of another type. Source: reference 04 §5. */
export const voucherMustFitCampaign = (
  { values: { type } }: VoucherDraft,
  campaign: CampaignSnapshot,
  { random }: { random: boolean },
): CampaignsRefusal | null => {
  if (!campaign.voucher || (random && campaign.type === 'STANDALONE')) {
    return refuse(
      'invalid_campaign',
      `You can not generate vouchers for ${campaign.voucher ? campaign.type : campaign.campaign_type} type campaign.`,
    );
  }
  return campaign.voucher.type === type
    ? null
    : refuse(
        'invalid_voucher',
        `Property 'type' should be ${campaign.voucher.type} for a voucher of ${campaign.campaign_type} campaign`,
      );
};

/** The voucher that a body defines, standalone without a campaign. It inherits from the campaign only what makes it a
 *  referral code. Source: reference 04 §5. */
export const definedTemplate = (
  { body, values }: VoucherDraft,
  { campaign, category }: { campaign: CampaignSnapshot | null; category: CategorySnapshot | null },
): VoucherTemplate => ({
  campaign_id: campaign?.id ?? null,
  campaign: campaign?.name ?? null,
  ...categoryFields(category),
  ...values,
  start_date: body.start_date ?? null,
  expiration_date: body.expiration_date ?? null,
  ...storedWindows(body),
  active: body.active ?? true,
  additional_info: body.additional_info ?? null,
  metadata: body.metadata ?? {},
  is_referral_code: campaign?.voucher?.is_referral_code ?? false,
  holder_id: null,
  referrer_id: null,
  redemption: { quantity: body.redemption?.quantity ?? null, redeemed_quantity: 0 },
  publish: { count: 0 },
  updated_at: null,
});
