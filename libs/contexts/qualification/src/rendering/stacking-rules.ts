import type { CategorySnapshot } from '@scrip/contracts/snapshot';
import type { StackingSettings } from '@scrip/order-calculation';

/** A category as answers expand it. `stacking_rules_type` is absent for a common one. */
export type ExpandedCategory = CategorySnapshot & { stacking_rules_type?: 'JOINT' | 'EXCLUSIVE' };

/** Categories with what the stacking rules make of each. Source: reference 01 §10. */
export const expandedCategories = (
  categories: readonly CategorySnapshot[],
  { exclusive_categories, joint_categories }: StackingSettings,
): ExpandedCategory[] =>
  categories.map((category): ExpandedCategory => {
    if (exclusive_categories.includes(category.id)) return { ...category, stacking_rules_type: 'EXCLUSIVE' };
    return joint_categories.includes(category.id) ? { ...category, stacking_rules_type: 'JOINT' } : category;
  });

/** The settings as a validation echoes them. The interface wants numbers, so a limit per category that is not set is
 *  shown as the limit which then acts: the one over all categories. Source: reference 03 §4.1, §5.1. */
export const renderStackingRules = ({
  grouped_redeemables_sorting_rule: _,
  discount_calculation_mode: __,
  initial_amount_mode_categories: ___,
  discounted_amount_mode_categories: ____,
  ...rules
}: StackingSettings) => ({
  ...rules,
  applicable_redeemables_per_category_limit:
    rules.applicable_redeemables_per_category_limit ?? rules.applicable_redeemables_limit,
  applicable_exclusive_redeemables_per_category_limit:
    rules.applicable_exclusive_redeemables_per_category_limit ?? rules.applicable_exclusive_redeemables_limit,
});
