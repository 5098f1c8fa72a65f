import type { RedeemedTier } from '@scrip/contracts/promotions';
import type { CategorySnapshot, Metadata } from '@scrip/contracts/snapshot';
import type { CalculatedOrder, RedeemableResult } from '@scrip/order-calculation';
import { type OrderResponse, renderOrder } from '@scrip/wire/customers';
import type { Described } from '../participants/redeemable-kind';
import type { EvaluatedRedeemable } from '../evaluation/evaluate';
import { type ExpandedCategory, expandedCategories } from '../rendering/stacking-rules';
import { renderWhyNot, type SingleErrorResponse } from './single-refusal';
import type { ShownValidation } from './voucher-validation.wire';

type Applicable = Extract<EvaluatedRedeemable['calculated'], { status: 'APPLICABLE' }>;

/** What a tier came to. */
type AppliedTier = Pick<Applicable, 'order' | 'applicable_to' | 'inapplicable_to' | 'result'>;

/** The campaign of a tier, briefly. */
export interface BriefCampaignOfTier {
  id: string;
  start_date?: string;
  expiration_date?: string;
  active: boolean;
  object: 'campaign';
}

/** What is shown of a tier, valid or not. Dates and banner are absent where there are none. */
export interface BriefTierResponse {
  id: string;
  name: string;
  banner?: string;
  discount: RedeemableResult['discount'] | null;
  start_date?: string;
  expiration_date?: string;
  campaign: BriefCampaignOfTier;
  hierarchy: number;
  metadata: Metadata;
  category_id: string | null;
  /** Where `options.expand` asks for them. */
  categories?: ExpandedCategory[];
  object: 'promotion_tier';
}

/** A tier that applies, as if it alone were applied. Source: reference 03 §5.4. */
export interface ValidTierResponse
  extends BriefTierResponse, Pick<Applicable, 'applicable_to' | 'inapplicable_to'> {
  valid: true;
  /** The order with the tier; absent where the request has none. */
  order?: OrderResponse;
  /** What the order has off with the tier, and what of it the tier takes off; absent without an order. */
  discount_amount?: number;
  applied_discount_amount?: number;
  tracking_id?: string;
}

/** A tier that does not apply; of an unknown one, nothing is shown but its id. */
export interface InvalidTierResponse extends Partial<BriefTierResponse> {
  valid: false;
  id: string;
  /** The generic message. */
  reason: string;
  error: SingleErrorResponse;
  tracking_id?: string;
}

/** Answer of the validation of one tier. */
export type TierValidationResponse = ValidTierResponse | InvalidTierResponse;

/** Answer of the validation of all tiers. */
export interface TiersValidationResponse {
  /** Whether any tier is. */
  valid: boolean;
  tracking_id?: string;
  /** The newest first. */
  promotions: ValidTierResponse[];
}

const datesOf = ({
  start_date,
  expiration_date,
}: Pick<RedeemedTier, 'start_date' | 'expiration_date'>): Pick<
  BriefTierResponse,
  'start_date' | 'expiration_date'
> => ({
  ...(start_date === null ? {} : { start_date }),
  ...(expiration_date === null ? {} : { expiration_date }),
});

const briefTier = (
  { campaign, ...tier }: RedeemedTier,
  categories: CategorySnapshot[],
  { categoriesUnder }: Pick<ShownValidation, 'categoriesUnder'>,
): BriefTierResponse => ({
  id: tier.id,
  name: tier.name,
  ...(tier.banner === null ? {} : { banner: tier.banner }),
  discount: tier.discount,
  ...datesOf(tier),
  campaign: { id: campaign.id, ...datesOf(campaign), active: campaign.active, object: 'campaign' },
  hierarchy: tier.hierarchy,
  metadata: tier.metadata,
  category_id: tier.category_id,
  ...(categoriesUnder ? { categories: expandedCategories(categories, categoriesUnder) } : {}),
  object: 'promotion_tier',
});

const amountsOf = (order: CalculatedOrder) => ({
  discount_amount: order.total_discount_amount ?? 0,
  applied_discount_amount: order.total_applied_discount_amount ?? 0,
});

const trackedBy = ({ trackingId }: Pick<ShownValidation, 'trackingId'>): { tracking_id?: string } =>
  trackingId === null ? {} : { tracking_id: trackingId };

/** A tier that applies, as it is described and with what it came to. Source: reference 03 §5.4. */
export const renderValidTier = (
  { tier, categories }: Pick<Described, 'categories'> & { tier: RedeemedTier },
  { order, applicable_to, inapplicable_to, result }: AppliedTier,
  shown: ShownValidation,
): ValidTierResponse => ({
  valid: true,
  applicable_to,
  inapplicable_to,
  ...trackedBy(shown),
  ...(order ? { order: renderOrder(shown.show(order)) } : {}),
  ...briefTier(tier, categories, shown),
  ...(result.discount ? { discount: result.discount } : {}),
  ...(order ? amountsOf(order) : {}),
});

/** What a tier that was validated by itself came to. Source: reference 03 §5.4. */
export const renderTierValidation = (
  evaluated: EvaluatedRedeemable,
  shown: ShownValidation,
): TierValidationResponse => {
  const { id, calculated, described } = evaluated;
  const tier = described?.tier;
  // What applies was found, and a call for a tier finds nothing else.
  if (calculated.status === 'APPLICABLE')
    return renderValidTier({ tier: tier!, categories: described!.categories }, calculated, shown);
  return {
    valid: false,
    ...renderWhyNot(evaluated, calculated, shown.requestId),
    ...trackedBy(shown),
    ...(tier ? briefTier(tier, described!.categories, shown) : { id }),
  };
};
