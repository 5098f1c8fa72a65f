import type { PromotionTierFields, PromotionTierSnapshot } from '@scrip/contracts/promotions';
import type { CategorySnapshot, Instant } from '@scrip/contracts/snapshot';
import { isRefused, type Refusal, refuse } from '@scrip/kernel';
import { categoryFields, categoryMustBeOneOfTwo } from './category';
import { readDiscount } from './discount';
import type { CreateTierBody, UpdateTierBody } from './bodies/promotion-tier.dto';
import { storedWindows, windowsMustBeSound } from './validity-policy';

/** Why a tier cannot be as it was sent. */
export type TierRefusal = Refusal<'invalid_payload' | 'invalid_campaign'>;

/** Dates of a campaign, which its tiers have where they have none of their own. */
export interface CampaignPeriod {
  start_date: Instant | null;
  expiration_date: Instant | null;
}

type TierLimits = Pick<
  PromotionTierFields,
  'start_date' | 'expiration_date' | 'validity_timeframe' | 'validity_day_of_week' | 'validity_hours'
>;

/** A refusal of a tier that stands at `path` of a body: the properties that it names stand there, but for `others`. */
const refusedAt = <Key extends string>(
  { details, ...refusal }: Refusal<Key>,
  path: string,
  others: readonly string[] = [],
): Refusal<Key> => ({
  ...refusal,
  details: (details ?? '').replace(/(^| )\.(\w+)/g, (named: string, before: string, property: string) =>
    others.includes(property) ? named : `${before}${path}.${property}`,
  ),
});

/** Refuses `invalid_payload` for limits that cannot be, together with those of the campaign. `path`: of the tier in the body.
 *  Source: reference 04 §4.1, §7. */
export const tierLimitsMustBeSound = (
  tier: TierLimits,
  campaign: CampaignPeriod,
  path = '',
): Refusal<'invalid_payload'> | null => {
  const refusal = windowsMustBeSound({
    ...tier,
    start_date: tier.start_date ?? campaign.start_date,
    expiration_date: tier.expiration_date ?? campaign.expiration_date,
  });
  const ofCampaign = (['start_date', 'expiration_date'] as const).filter((date) => tier[date] === null);
  return refusal && refusedAt(refusal, path, ofCampaign);
};

const discountOf = ({ action }: Pick<CreateTierBody, 'action'>, path: string) =>
  action?.discount ? readDiscount(action.discount, `${path}.action.discount`) : null;

/** The fields of a new tier. `path`: of the tier in the body. Refuses `invalid_payload`, and `invalid_campaign` for discounts
 *  that no campaign can have. Source: reference 04 §10. */
export const newTierFields = (
  body: CreateTierBody,
  campaign: CampaignPeriod,
  path = '',
): PromotionTierFields | TierRefusal => {
  const twice = categoryMustBeOneOfTwo(body);
  if (twice) return refusedAt(twice, path);
  const discount = discountOf(body, path);
  if (isRefused(discount)) return discount;
  const limits = {
    start_date: body.start_date ?? null,
    expiration_date: body.expiration_date ?? null,
    ...storedWindows(body),
  };
  const refusal = tierLimitsMustBeSound(limits, campaign, path);
  if (refusal) return refusal;
  return {
    name: body.name,
    banner: body.banner ?? null,
    discount,
    metadata: body.metadata ?? {},
    active: body.active ?? true,
    ...limits,
  };
};

/** What a caller changes of a tier; absent fields stay. `metadata` are merged by key, null clears them. */
export type TierChange = Partial<Omit<PromotionTierFields, 'active' | 'metadata'>> & {
  metadata?: PromotionTierSnapshot['metadata'] | null;
};

/** What a body changes. Refuses as `newTierFields`, but for limits: what they are together is known with the tier. Source:
 *  reference 04 §10. */
export const tierChangeOf = (body: UpdateTierBody): TierChange | TierRefusal => {
  const twice = categoryMustBeOneOfTwo(body);
  if (twice) return twice;
  if (body.name === null) return refuse('invalid_payload', 'Property .name should be string');
  const discount = discountOf(body, '');
  if (isRefused(discount)) return discount;
  const { name, banner, action, metadata, start_date, expiration_date } = body;
  const windows = storedWindows(body);
  const sent = {
    name,
    banner,
    discount: action === null || action?.discount !== undefined ? discount : undefined,
    metadata,
    start_date,
    expiration_date,
    validity_timeframe: body.validity_timeframe === undefined ? undefined : windows.validity_timeframe,
    validity_day_of_week: body.validity_day_of_week,
    validity_hours: body.validity_hours === undefined ? undefined : windows.validity_hours,
  };
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) as TierChange;
};

/** A tier as it is created at a place. */
export const tierOf = (
  fields: PromotionTierFields,
  at: {
    id: string;
    campaign_id: string;
    hierarchy: number;
    category: CategorySnapshot | null;
    now: Instant;
  },
): PromotionTierSnapshot => {
  const { id, campaign_id, hierarchy, category, now } = at;
  return {
    id,
    campaign_id,
    ...fields,
    hierarchy,
    ...categoryFields(category),
    created_at: now,
    updated_at: null,
  };
};
