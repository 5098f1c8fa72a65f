import type { RedeemableCategory } from './categories';
import type { CalculationMode, StackingSettings } from './stacking-settings';

/** What a redeemable's first listed category says, else what holds for all. `categories`: ascending hierarchy. */
const overridden = <T>(
  categories: readonly RedeemableCategory[],
  lists: readonly (readonly [readonly string[], T])[],
  otherwise: T,
): T => {
  for (const { id } of categories) {
    const list = lists.find(([ids]) => ids.includes(id));
    if (list) return list[1];
  }
  return otherwise;
};

/** What percentages and prices of this redeemable start from. Source: reference 01 §5, §10. */
export const calculationModeFor = (
  categories: readonly RedeemableCategory[],
  settings: StackingSettings,
): CalculationMode =>
  overridden<CalculationMode>(
    categories,
    [
      [settings.initial_amount_mode_categories, 'INITIAL_AMOUNT'],
      [settings.discounted_amount_mode_categories, 'DISCOUNTED_AMOUNT'],
    ],
    settings.discount_calculation_mode,
  );

/** What becomes of this redeemable when it has no effect. Source: reference 01 §10. */
export const noEffectRuleFor = (
  categories: readonly RedeemableCategory[],
  settings: StackingSettings,
): StackingSettings['redeemables_no_effect_rule'] =>
  overridden<StackingSettings['redeemables_no_effect_rule']>(
    categories,
    [
      [settings.no_effect_skip_categories, 'SKIP'],
      [settings.no_effect_redeem_anyway_categories, 'REDEEM_ANYWAY'],
    ],
    settings.redeemables_no_effect_rule,
  );
