/** What percentages are taken of: what earlier discounts left, or the original amounts. Source: reference 01 §5. */
export type CalculationMode = 'DISCOUNTED_AMOUNT' | 'INITIAL_AMOUNT';

/** How several redeemables of one request work together; one set per project. Source: reference 01 §10. */
export interface StackingSettings {
  redeemables_limit: number;
  applicable_redeemables_limit: number;
  applicable_redeemables_per_category_limit: number | null;
  applicable_redeemables_category_limits: Record<string, number>;
  applicable_exclusive_redeemables_limit: number;
  applicable_exclusive_redeemables_per_category_limit: number | null;
  exclusive_categories: readonly string[];
  joint_categories: readonly string[];
  redeemables_application_mode: 'ALL' | 'PARTIAL';
  redeemables_sorting_rule: 'REQUESTED_ORDER' | 'CATEGORY_HIERARCHY';
  grouped_redeemables_sorting_rule: 'JOINT_ALWAYS_LAST' | 'REDEEMABLES_SORTING_RULE';
  discount_calculation_mode: CalculationMode;
  initial_amount_mode_categories: readonly string[];
  discounted_amount_mode_categories: readonly string[];
  redeemables_products_application_mode: 'STACK' | 'ONCE';
  redeemables_no_effect_rule: 'REDEEM_ANYWAY' | 'SKIP';
  no_effect_skip_categories: readonly string[];
  no_effect_redeem_anyway_categories: readonly string[];
  redeemables_rollback_order_mode: 'WITH_ORDER' | 'WITHOUT_ORDER';
}

/** What holds in a project that stored no settings. Source: reference 01 §10. */
export const defaultStackingSettings: StackingSettings = {
  redeemables_limit: 30,
  applicable_redeemables_limit: 5,
  applicable_redeemables_per_category_limit: null,
  applicable_redeemables_category_limits: {},
  applicable_exclusive_redeemables_limit: 1,
  applicable_exclusive_redeemables_per_category_limit: null,
  exclusive_categories: [],
  joint_categories: [],
  redeemables_application_mode: 'ALL',
  redeemables_sorting_rule: 'REQUESTED_ORDER',
  grouped_redeemables_sorting_rule: 'JOINT_ALWAYS_LAST',
  discount_calculation_mode: 'DISCOUNTED_AMOUNT',
  initial_amount_mode_categories: [],
  discounted_amount_mode_categories: [],
  redeemables_products_application_mode: 'STACK',
  redeemables_no_effect_rule: 'REDEEM_ANYWAY',
  no_effect_skip_categories: [],
  no_effect_redeem_anyway_categories: [],
  redeemables_rollback_order_mode: 'WITH_ORDER',
};
