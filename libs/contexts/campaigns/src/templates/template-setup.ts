import type { CampaignTemplateSnapshot } from '@scrip/contracts/campaigns';
import type { PromotionTierFields } from '@scrip/contracts/promotions';
import { categoryMustBeOneOfTwo, storedWindows } from '@scrip/incentives';
import { isRefused, type ProjectContext } from '@scrip/kernel';
import { bodyMustFitCampaigns, type CampaignDraft, codesMustFitACampaign } from '../campaign/campaign-draft';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { resolveCodeConfig } from '../generation/code-config';
import type { CampaignSetupBody, TierSetupBody } from './template.dto';
import { typeNotSupported } from './template-content';

/** The fields that were sent: null is one that clears. */
const sentOf = <Body extends object>(body: Body): Body =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as Body;

/** A campaign of a template, with what the body says in place of what the template has. The code of a generic campaign is made.
 *  Refuses `invalid_payload`, `missing_required_feature`, `invalid_campaign` and `invalid_code_config`. Source: reference 04
 *  §12. */
export const draftOfTemplate = (
  { campaign_type, content, rules = [] }: CampaignTemplateSnapshot,
  sent: CampaignSetupBody,
  project: ProjectContext,
): CampaignDraft | CampaignsRefusal => {
  const { voucher: template, banner: _, ...settings } = content;
  const { voucher: own, ...body } = { ...settings, ...sentOf(sent) };
  const refusal = bodyMustFitCampaigns(body) ?? codesMustFitACampaign(body);
  if (refusal) return refusal;
  const code_config = own?.code_config
    ? resolveCodeConfig(own.code_config, project.codeCharset)
    : template.code_config;
  if (isRefused(code_config)) return code_config;
  const { quantity = template.redemption.quantity } = own?.redemption ?? {};
  return {
    body,
    kind: campaign_type,
    settings: { join_once: body.join_once ?? false, auto_join: false },
    voucher: { ...template, code_config, redemption: { quantity } },
    type: body.type ?? 'STATIC',
    count: body.type === 'STANDALONE' ? 1 : (body.vouchers_count ?? 0),
    code: null,
    made: rules,
  };
};

/** A tier of a template, with what the body says in place of what the template has. Refuses
 *  `campaign_type_is_not_supported_by_campaign_template` for a template of gift cards, and `invalid_payload`. Source:
 *  reference 04 §12. */
export const tierFieldsOfTemplate = (
  { id, content, campaign_type }: CampaignTemplateSnapshot,
  sent: TierSetupBody,
): PromotionTierFields | CampaignsRefusal => {
  if (campaign_type !== 'DISCOUNT_COUPONS') {
    return typeNotSupported(
      `Template ${id} is of type ${campaign_type}; tiers are made from DISCOUNT_COUPONS.`,
    );
  }
  const twice = categoryMustBeOneOfTwo(sent);
  if (twice) return twice;
  const fields = { ...content, ...sentOf(sent) };
  return {
    name: fields.name,
    banner: fields.banner ?? null,
    discount: content.voucher.discount,
    metadata: fields.metadata ?? {},
    active: fields.active ?? true,
    start_date: fields.start_date ?? null,
    expiration_date: fields.expiration_date ?? null,
    ...storedWindows(fields),
  };
};
