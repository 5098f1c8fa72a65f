import type { CampaignSnapshot, CampaignType, CampaignVoucherTemplate } from '@scrip/contracts/campaigns';
import type { RuleDefinition } from '@scrip/contracts/qualification';
import type { CategorySnapshot, Instant } from '@scrip/contracts/snapshot';
import { categoryFields, categoryMustBeOneOfTwo, storedWindows, windowsMustBeSound } from '@scrip/incentives';
import { type ProjectContext, isRefused, missingFeature, refuse } from '@scrip/kernel';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { capacityMustSuffice, resolveCodeConfig } from '../generation/code-config';
import { codesPerCampaignMax, tooManyCodes } from './campaign.decider';
import type { CampaignSettingsBody, CreateCampaignBody } from './campaign.dto';
import type { CampaignKind, KindSettings } from './kinds/campaign-kind';
import { campaignKinds, campaignTypeOf } from './kinds/kinds';

/** A campaign that fits the rules of its kind. `count`: codes wanted at once; `code`: the one that a
 *  generic campaign names, null where it is made; `made`: validation rules that are created with it. */
export interface CampaignDraft {
  body: CampaignSettingsBody & Pick<CreateCampaignBody, 'validation_rules'>;
  kind: CampaignType;
  settings: KindSettings;
  voucher: CampaignVoucherTemplate;
  type: CampaignSnapshot['type'];
  count: number;
  code: string | null;
  made?: readonly RuleDefinition[];
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

type Policy = (body: CampaignSettingsBody) => CampaignsRefusal | null;
type KindPolicy = (kind: CampaignKind, body: CreateCampaignBody) => CampaignsRefusal | null;

const accessSettingsNeedAFeature: Policy = ({ access_settings }) =>
  isSet(access_settings) ? missingFeature() : null;

/** Of the kinds that have codes. Throws for promotions, which `CreatePromotion` creates. */
const kindOf = (body: CreateCampaignBody): CampaignKind | CampaignsRefusal => {
  const type = campaignTypeOf(body);
  if (!type) return refuse('invalid_campaign', "Property 'campaign_type' is required");
  if (type === 'PROMOTION') throw new Error('a promotion has no codes');
  return campaignKinds[type];
};

const isThere = (body: object, path: string): boolean =>
  isSet(
    path
      .split('.')
      .reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], body),
  );

const voucherMustFitKind: KindPolicy = ({ type, voucherType, required }, body) => {
  if (isSet(body.voucher?.type) && body.voucher?.type !== voucherType) {
    return refuse(
      'invalid_campaign',
      `Property 'voucher.type' should be ${voucherType} for ${type} campaign`,
    );
  }
  return isThere(body, required)
    ? null
    : refuse(
        'invalid_campaign',
        `Property '${required.replace(/^voucher\./, '')}' is required for ${type} campaign`,
      );
};

const kindMustTakeOneCode: KindPolicy = ({ type, takesStandalone }, body) =>
  body.type === 'STANDALONE' && !takesStandalone
    ? refuse('invalid_campaign', `Property 'type' should be STATIC or AUTO_UPDATE for ${type} campaign`)
    : null;

const standaloneMustHaveACode: KindPolicy = (_, { type, voucher }) =>
  type === 'STANDALONE' && !voucher?.code
    ? refuse('invalid_campaign', "Property 'code' is required for STANDALONE campaign")
    : null;

/** Refuses `invalid_campaign` for more codes than a campaign may hold. */
export const codesMustFitACampaign = ({ type, vouchers_count: count }: CampaignSettingsBody) =>
  type !== 'STANDALONE' && (count ?? 0) > codesPerCampaignMax ? tooManyCodes() : null;

/** What the body of a campaign of any kind may say; then come the rules of the kind. Source: reference 04 §4.1. */
const policies: readonly Policy[] = [windowsMustBeSound, categoryMustBeOneOfTwo, accessSettingsNeedAFeature];
const kindPolicies: readonly KindPolicy[] = [
  voucherMustFitKind,
  kindMustTakeOneCode,
  standaloneMustHaveACode,
  (_, body) => codesMustFitACampaign(body),
];

const firstRefusal = <Rule>(rules: readonly Rule[], ask: (rule: Rule) => CampaignsRefusal | null) => {
  for (const rule of rules) {
    const refusal = ask(rule);
    if (refusal) return refusal;
  }
  return null;
};

/** Refuses `invalid_payload` and `missing_required_feature` for what no campaign can say. */
export const bodyMustFitCampaigns = (body: CampaignSettingsBody): CampaignsRefusal | null =>
  firstRefusal(policies, (policy) => policy(body));

/** Reads a body as a campaign of its kind. Refuses `invalid_payload`, `missing_required_feature`, `invalid_campaign` and
 *  `invalid_code_config` (codes that cannot exist). Source: reference 04 §2, §4.1. */
export const draftCampaign = (
  body: CreateCampaignBody,
  project: ProjectContext,
): CampaignDraft | CampaignsRefusal => {
  const misfit = bodyMustFitCampaigns(body);
  if (misfit) return misfit;
  const kind = kindOf(body);
  if (isRefused(kind)) return kind;
  const unfit = firstRefusal(kindPolicies, (policy) => policy(kind, body));
  if (unfit) return unfit;
  const template = kind.template(body);
  if (isRefused(template)) return template;
  const settings = kind.settings(body);
  if (isRefused(settings)) return settings;
  const code_config = resolveCodeConfig(body.voucher?.code_config ?? {}, project.codeCharset);
  if (isRefused(code_config)) return code_config;
  const type = body.type ?? 'STATIC';
  const isGeneric = type === 'STANDALONE';
  return {
    body,
    kind: kind.type,
    settings,
    voucher: {
      type: kind.voucherType,
      ...template,
      redemption: { quantity: body.voucher?.redemption?.quantity ?? null },
      code_config,
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
  { body, kind, settings, voucher, type, count }: CampaignDraft,
  { id, category, now }: { id: string; category: CategorySnapshot | null; now: Instant },
): CampaignSnapshot => {
  const status = count > 1 ? 'IN_PROGRESS' : 'DONE';
  return {
    id,
    name: body.name,
    description: body.description ?? null,
    campaign_type: kind,
    type,
    voucher,
    ...settings,
    join_once: type !== 'STANDALONE' && settings.join_once,
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
