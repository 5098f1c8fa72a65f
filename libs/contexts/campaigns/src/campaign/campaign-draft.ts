import type {
  CampaignSnapshot,
  CampaignType,
  CampaignVoucherTemplate,
  VoucherType,
} from '@scrip/contracts/campaigns';
import type { CategorySnapshot, Instant } from '@scrip/contracts/snapshot';
import { type ProjectContext, isRefused, missingFeature, refuse } from '@scrip/kernel';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { capacityMustSuffice, resolveCodeConfig } from '../generation/code-config';
import { categoryFields } from '../voucher/voucher-template';
import { maxCodesPerCampaign } from './campaign.decider';
import type { CreateCampaignBody } from './campaign.dto';
import { readDiscount } from './discount';
import { storedWindows, windowsMustBeSound } from './validity-policy';

/** A campaign that fits the rules of its kind. `count`: codes wanted at once; `code`: the one of a generic campaign. */
export interface CampaignDraft {
  body: CreateCampaignBody;
  voucher: CampaignVoucherTemplate;
  type: CampaignSnapshot['type'];
  count: number;
  code: string | null;
}

const typeOfVoucher: Record<VoucherType, CampaignType> = {
  DISCOUNT_VOUCHER: 'DISCOUNT_COUPONS',
  GIFT_VOUCHER: 'GIFT_VOUCHERS',
  LOYALTY_CARD: 'LOYALTY_PROGRAM',
};

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

/** What a campaign is when it does not say so itself. Source: reference 04 §2.1. */
const inferredType = ({ promotion, referral_program, voucher }: CreateCampaignBody): CampaignType | null => {
  if (isSet(promotion)) return 'PROMOTION';
  if (voucher?.is_referral_code || isSet(referral_program)) return 'REFERRAL_PROGRAM';
  if (voucher?.type) return typeOfVoucher[voucher.type];
  return voucher?.discount ? 'DISCOUNT_COUPONS' : null;
};

type Policy = (body: CreateCampaignBody) => CampaignsRefusal | null;

const categoryMustBeOneOfTwo: Policy = ({ category, category_id }) =>
  category && category_id
    ? refuse('invalid_payload', 'Only one of .category and .category_id can be given')
    : null;

const accessSettingsNeedAFeature: Policy = ({ access_settings }) =>
  isSet(access_settings) ? missingFeature() : null;

const kindMustBeServed: Policy = (body) => {
  const kind = body.campaign_type ?? inferredType(body);
  if (!kind) return refuse('invalid_campaign', "Property 'campaign_type' is required");
  return kind === 'DISCOUNT_COUPONS'
    ? null
    : refuse('invalid_campaign', `Campaigns of type ${kind} are not supported yet.`);
};

const kindMustFitVoucher: Policy = ({ voucher }) => {
  if (isSet(voucher?.type) && voucher?.type !== 'DISCOUNT_VOUCHER') {
    return refuse(
      'invalid_campaign',
      "Property 'voucher.type' should be DISCOUNT_VOUCHER for DISCOUNT_COUPONS campaign",
    );
  }
  return voucher?.discount
    ? null
    : refuse('invalid_campaign', "Property 'voucher.discount' is required for DISCOUNT_COUPONS campaign");
};

const standaloneMustHaveACode: Policy = ({ type, voucher }) =>
  type === 'STANDALONE' && !voucher?.code
    ? refuse('invalid_campaign', "Property 'voucher.code' is required for STANDALONE campaign")
    : null;

const codesMustFitACampaign: Policy = ({ type, vouchers_count: count }) =>
  type !== 'STANDALONE' && (count ?? 0) > maxCodesPerCampaign
    ? refuse('invalid_campaign', `A campaign holds at most ${maxCodesPerCampaign} codes.`)
    : null;

/** In the order of reference 04 §4.1: what the body may say, then the rules of the kind. */
const policies: readonly Policy[] = [
  windowsMustBeSound,
  categoryMustBeOneOfTwo,
  accessSettingsNeedAFeature,
  kindMustBeServed,
  kindMustFitVoucher,
  standaloneMustHaveACode,
  codesMustFitACampaign,
];

/** Reads a body as a campaign of its kind. Refuses `invalid_payload`, `missing_required_feature`, `invalid_campaign` and
 *  `invalid_code_config` (codes that cannot exist). Source: reference 04 §2, §4.1. */
export const draftCampaign = (
  body: CreateCampaignBody,
  project: ProjectContext,
): CampaignDraft | CampaignsRefusal => {
  for (const policy of policies) {
    const refusal = policy(body);
    if (refusal) return refusal;
  }
  const discount = readDiscount(body.voucher!.discount!);
  if (isRefused(discount)) return discount;
  const code_config = resolveCodeConfig(body.voucher?.code_config ?? {}, project.codeCharset);
  if (isRefused(code_config)) return code_config;
  const type = body.type ?? 'STATIC';
  const isGeneric = type === 'STANDALONE';
  return {
    body,
    voucher: {
      type: 'DISCOUNT_VOUCHER',
      discount,
      gift: null,
      loyalty_card: null,
      redemption: { quantity: body.voucher?.redemption?.quantity ?? null },
      code_config,
      is_referral_code: false,
    },
    type,
    count: isGeneric ? 1 : (body.vouchers_count ?? 0),
    code: isGeneric ? (body.voucher?.code ?? null) : null,
  };
};

/** Refuses `invalid_code_config` where fewer codes exist than are wanted. Source: reference 04 §3. */
export const draftMustFitCapacity = (
  draft: CampaignDraft,
  project: ProjectContext,
): CampaignsRefusal | null =>
  draft.code === null
    ? capacityMustSuffice(draft.voucher.code_config, draft.count, project.caseSensitiveCodes)
    : null;

/** The campaign as it is created: `IN_PROGRESS` while a job is to make its codes. Forced and default values of
 *  reference 04 §2.1. */
export const campaignOf = (
  { body, voucher, type, count }: CampaignDraft,
  { id, category, now }: { id: string; category: CategorySnapshot | null; now: Instant },
): CampaignSnapshot => {
  const status = count > 1 ? 'IN_PROGRESS' : 'DONE';
  return {
    id,
    name: body.name,
    description: body.description ?? null,
    campaign_type: 'DISCOUNT_COUPONS',
    type,
    voucher,
    join_once: type !== 'STANDALONE' && (body.join_once ?? false),
    auto_join: false,
    use_voucher_metadata_schema: body.use_voucher_metadata_schema ?? true,
    activity_duration_after_publishing: body.activity_duration_after_publishing ?? null,
    vouchers_count: count === 1 ? 1 : 0,
    vouchers_count_invalid: null,
    start_date: body.start_date ?? null,
    expiration_date: body.expiration_date ?? null,
    ...storedWindows(body),
    active: true,
    metadata: body.metadata ?? {},
    ...categoryFields(category),
    creation_status: status,
    vouchers_generation_status: status,
    protected: false,
    created_at: now,
    updated_at: null,
  };
};
