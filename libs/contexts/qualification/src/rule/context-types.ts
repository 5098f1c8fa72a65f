const discountEffects = [
  'apply_to_order',
  'apply_to_items',
  'apply_to_items_proportionally',
  'apply_to_items_proportionally_by_quantity',
  'apply_to_items_by_quantity',
];

const discounts = (prefix: string): string[] => [
  prefix,
  ...discountEffects.map((effect) => `${prefix}.discount.${effect}`),
  ...['fixed', 'percent'].map((type) => `${prefix}.discount.${type}.apply_to_items`),
];

const gifts = (prefix: string): string[] => [
  prefix,
  `${prefix}.gift.apply_to_order`,
  `${prefix}.gift.apply_to_items`,
];

const below = (prefix: string, names: readonly string[]): string[] =>
  names.map((name) => `${prefix}.${name}`);

/** Where an editor means a rule to be used; stored, and without effect on evaluation. Source: reference 02 §1.5. */
export const contextTypes: readonly string[] = [
  'global',
  ...below('earning_rule', ['order.paid', 'custom_event', 'customer.segment.entered']),
  ...below('earning_rule.customer.tier', ['joined', 'left', 'upgraded', 'downgraded', 'prolonged']),
  ...discounts('campaign.discount_coupons'),
  ...gifts('campaign.gift_vouchers'),
  ...discounts('campaign.referral_program'),
  ...discounts('campaign.promotion'),
  'campaign.loyalty_program',
  ...discounts('voucher.discount_voucher'),
  ...gifts('voucher.gift_voucher'),
  'voucher.loyalty_card',
  ...below('distribution', [
    'custom_event',
    'order.paid',
    'order.created',
    'order.canceled',
    'order.updated',
  ]),
  'reward_assignment.pay_with_points',
];
