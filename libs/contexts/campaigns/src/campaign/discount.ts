import type { CampaignVoucherTemplate } from '@scrip/contracts/campaigns';
import { refuse } from '@scrip/kernel';
import type { CampaignsRefusal } from '../campaigns.refusals';
import type { DiscountBody } from './campaign.dto';

type Discount = NonNullable<CampaignVoucherTemplate['discount']>;
type Kind = Exclude<Discount['type'], 'UNIT'>;

/** Fields of each kind that can be redeemed, required ones first. */
const fieldsOf: Record<
  Kind,
  { required: (keyof DiscountBody)[]; optional: (keyof DiscountBody)[]; effects: string[] }
> = {
  AMOUNT: {
    required: ['amount_off'],
    optional: ['aggregated_amount_limit', 'effect', 'is_dynamic'],
    effects: [
      'APPLY_TO_ORDER',
      'APPLY_TO_ITEMS',
      'APPLY_TO_ITEMS_PROPORTIONALLY',
      'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY',
      'APPLY_TO_ITEMS_BY_QUANTITY',
    ],
  },
  PERCENT: {
    required: ['percent_off'],
    optional: ['amount_limit', 'aggregated_amount_limit', 'effect', 'is_dynamic'],
    effects: ['APPLY_TO_ORDER', 'APPLY_TO_ITEMS'],
  },
  FIXED: {
    required: ['fixed_amount'],
    optional: ['effect', 'is_dynamic'],
    effects: ['APPLY_TO_ORDER', 'APPLY_TO_ITEMS'],
  },
};

const formulas = [
  'amount_off_formula',
  'percent_off_formula',
  'fixed_amount_formula',
  'unit_off_formula',
] as const;

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

/** The discount with the fields of its kind only. Refuses `invalid_payload` for a missing field or an effect of
 *  another kind, and `invalid_campaign` for free units and formulas, which no redemption computes yet.
 *  Source: reference 01 §5. */
export const readDiscount = (body: DiscountBody): Discount | CampaignsRefusal => {
  if (body.type === 'UNIT') {
    const served = Object.keys(fieldsOf).join(', ');
    return refuse(
      'invalid_campaign',
      `Property .voucher.discount.type: UNIT is not supported yet, only [ ${served} ]`,
    );
  }
  const formula = formulas.find((name) => isSet(body[name]));
  if (formula)
    return refuse(
      'invalid_campaign',
      `Property .voucher.discount.${formula}: formulas are not supported yet`,
    );
  const { required, optional, effects } = fieldsOf[body.type];
  const missing = required.find((name) => !isSet(body[name]));
  if (missing)
    return refuse('invalid_payload', `Property .voucher.discount should have required property '${missing}'`);
  if (isSet(body.effect) && !effects.includes(body.effect ?? '')) {
    return refuse(
      'invalid_payload',
      `Property .voucher.discount.effect should be equal to one of the allowed values [ ${effects.join(', ')} ]`,
    );
  }
  const kept = ['type' as const, ...required, ...optional].filter((name) => isSet(body[name]));
  return JSON.parse(JSON.stringify(Object.fromEntries(kept.map((name) => [name, body[name]])))) as Discount;
};
