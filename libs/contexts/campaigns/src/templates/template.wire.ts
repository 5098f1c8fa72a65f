import type { CampaignTemplateSnapshot } from '@scrip/contracts/campaigns';
import type { CreatedResource } from '@scrip/contracts/snapshot';
import { listOf } from '@scrip/edge';
import type { CampaignResponse } from '@scrip/wire/campaigns';
import type { PromotionTierResponse } from '@scrip/wire/promotions';
import type { RuleAssignmentsResponse } from '@scrip/wire/qualification';
import type { TemplatePage } from './template.reads';

/** What a template has, laid out as the body of a campaign. */
const jsonTemplate = ({
  campaign_type,
  content: { banner, type, voucher, ...settings },
  rules = [],
}: CampaignTemplateSnapshot) => ({
  campaign_type,
  type,
  ...settings,
  ...(banner === null ? {} : { banner }),
  voucher: {
    type: voucher.type,
    ...(voucher.discount ? { discount: voucher.discount } : {}),
    ...(voucher.gift ? { gift: voucher.gift } : {}),
    redemption: voucher.redemption,
    code_config: voucher.code_config,
  },
  ...(rules.length === 0 ? {} : { validation_rules: rules }),
});

/** What `jsonTemplate` makes. */
export type JsonTemplateResponse = ReturnType<typeof jsonTemplate>;

/** A template as the API shows it; unset fields are absent. `expanded`: with what it has. Source: reference 04 §12. */
export const renderTemplate = (template: CampaignTemplateSnapshot, expanded = false) => ({
  id: template.id,
  name: template.name,
  ...(template.description === null ? {} : { description: template.description }),
  campaign_type: template.campaign_type,
  ...(expanded ? { json_template: jsonTemplate(template) } : {}),
  created_at: template.created_at,
  ...(template.updated_at === null ? {} : { updated_at: template.updated_at }),
  object: 'campaign_template' as const,
});

/** What `renderTemplate` makes. */
export type CampaignTemplateResponse = ReturnType<typeof renderTemplate>;

/** How a list of templates is described. */
export const templatesAnswer = {
  list: 'data',
  of: 'CampaignTemplateResponse',
  counts: ['total', 'has_more', 'more_starting_after'],
  asked: ['total'],
} as const;

/** A page of templates as the API shows it; `total` where it was asked for. */
export const renderTemplates = ({ templates, hasMore, total }: TemplatePage) => {
  const last = templates.at(-1);
  return listOf(
    'data',
    templates.map((template) => renderTemplate(template)),
    {
      ...(total === null ? {} : { total }),
      has_more: hasMore,
      ...(hasMore && last ? { more_starting_after: last.id } : {}),
    },
  );
};

/** What was made is what a new object has: no other rule holds for it yet. */
export const createdRules = ({ data }: RuleAssignmentsResponse): CreatedResource[] =>
  data.map(({ rule_id }) => ({ id: rule_id, object: 'validation_rules' }));

/** A campaign that was made from a template. Source: reference 04 §12. */
export interface CampaignSetupResponse {
  created_resources: CreatedResource[];
  campaign: CampaignResponse;
  object: 'campaign_setup';
}

/** A tier that was made from a template. Source: reference 04 §12. */
export interface TierSetupResponse {
  created_resources: CreatedResource[];
  promotion_tier: PromotionTierResponse;
  /** That of the tier. */
  campaign: PromotionTierResponse['campaign'];
  object: 'promotion_tier_setup';
}
