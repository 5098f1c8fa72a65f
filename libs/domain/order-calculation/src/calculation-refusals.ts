/** What each refusal of violated rules says. Source: reference 02 §4.4. */
const ruleMessages = {
  missing_customer: 'Missing customer',
  customer_rules_violated: 'customer does not match validation rules',
  order_rules_violated: 'order does not match validation rules',
  redemption_rules_violated: 'redemption does not match validation rules',
} as const;

/** Why rules keep a redeemable from being used. */
export type RuleRefusalKey = keyof typeof ruleMessages;

/** What each refusal of the calculation says. Source: reference 03 §4.3. */
export const calculationMessages = {
  ...ruleMessages,
  missing_order: 'Missing order',
  missing_amount: 'Missing amount',
  missing_order_items: 'Missing order items',
  missing_order_items_amount: 'Missing applicable order items',
  missing_reward: 'Missing reward',
  gift_amount_exceeded: 'gift amount exceeded',
  loyalty_card_points_exceeded: 'loyalty card points exceeded',
  unsupported_discount: 'Unsupported discount',
} as const;

/** Why the calculation makes nothing of a redeemable. */
export type CalculationRefusalKey = keyof typeof calculationMessages;

/** Why an order as sent cannot be read. */
export type OrderRefusalKey = 'invalid_payload';
