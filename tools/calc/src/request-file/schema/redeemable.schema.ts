import { discount } from './discount.schema';
import {
  type Schema,
  anyText,
  anything,
  byName,
  count,
  either,
  fields,
  flag,
  integer,
  listOf,
  metadata,
  named,
  oneOf,
  orNull,
  text,
} from './forms';
import { unitBudgetLimits, validationRule } from './rule.schema';

const categories = listOf(
  fields(
    { ...named(['object', 'created_at', 'updated_at'], anything), id: text, hierarchy: count, name: anyText },
    'id',
    'hierarchy',
  ),
);

const withPeriods = (name: string): string[] =>
  ['', '.daily', '.weekly', '.monthly'].map((period) => `${name}${period}`);

// The limits of reference 02 §3.3.
const counterNames = [
  ...withPeriods('campaign.redemptions.count'),
  ...withPeriods('campaign.redemptions.customers_count'),
  ...withPeriods('redemption.count').slice(1),
  ...withPeriods('redemption.count.per_customer'),
  'redemption.count.per_api_key',
  'redemption.count.per_user',
  'campaign.orders.amount',
  'campaign.orders.amount_discounted',
  'redemption.gift.amount',
];

const incentive: Record<string, Schema> = {
  id: text,
  campaign_id: text,
  categories,
  metadata,
  active: flag,
  start_date: orNull(text),
  expiration_date: orNull(text),
  validity_timeframe: orNull(fields({ interval: text, duration: text }, 'interval', 'duration')),
  validity_day_of_week: orNull(listOf(integer(0, 6))),
  validity_hours: orNull(
    fields(
      {
        daily: listOf(
          fields(
            { days_of_week: listOf(integer(0, 6)), start_time: text, expiration_time: text },
            'days_of_week',
            'start_time',
          ),
        ),
      },
      'daily',
    ),
  ),
  validation_rules: listOf(validationRule),
  counters: fields(named(counterNames, count)),
  units_used: fields(named(unitBudgetLimits, byName(count))),
};

const voucher = fields(
  {
    ...incentive,
    object: { const: 'voucher' },
    discount,
    gift: fields(
      {
        ...named(['amount', 'balance', 'locked', 'credits'], count),
        effect: oneOf('APPLY_TO_ORDER', 'APPLY_TO_ITEMS'),
      },
      'balance',
    ),
    loyalty_card: fields({ points: count, balance: count }, 'balance'),
    reward: fields(
      {
        id: text,
        type: oneOf('COIN', 'DIGITAL', 'MATERIAL', 'CAMPAIGN'),
        points: count,
        parameters: fields({
          coin: fields(
            {
              exchange_ratio: { type: 'number', exclusiveMinimum: 0 },
              points_ratio: integer(1, Number.MAX_SAFE_INTEGER),
            },
            'exchange_ratio',
            'points_ratio',
          ),
        }),
      },
      'type',
    ),
    redemption: fields({ quantity: orNull(count), redeemed_quantity: count }),
    publish: fields({ count }, 'count'),
    publication: fields({ metadata }, 'metadata'),
    held_by_customer: flag,
  },
  'object',
  'id',
);
const promotionTier = fields(
  { ...incentive, object: { const: 'promotion_tier' }, discount },
  'object',
  'id',
  'discount',
);
const promotionStack = fields(
  {
    object: { const: 'promotion_stack' },
    id: text,
    categories,
    tiers: { ...listOf(promotionTier), minItems: 1, maxItems: 30 },
  },
  'object',
  'id',
  'tiers',
);

/** A voucher, a promotion tier or a stack of tiers, told by `object`. */
export const redeemable = either('object', voucher, promotionTier, promotionStack);
