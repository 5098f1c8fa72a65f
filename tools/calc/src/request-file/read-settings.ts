import { type StackingSettings, defaultStackingSettings } from '@scrip/order-calculation';
import { type InputProblem, below } from './input-problem';
import type { RequestFile } from './request-file';

/** The effective settings; limits and lists that contradict each other are added to `problems`. Source: reference 01 §10. */
export const readSettings = (
  { stacking_rules: sent = {} }: RequestFile,
  problems: InputProblem[],
): StackingSettings => {
  const settings = { ...defaultStackingSettings, ...sent };
  const path = 'stacking_rules';
  const atMost = (lower: keyof StackingSettings, upper: keyof StackingSettings): void => {
    const [value, max] = [settings[lower], settings[upper]];
    if (lower in sent && typeof value === 'number' && typeof max === 'number' && value > max) {
      problems.push({ path: below(path, lower), message: `must be <= ${upper} (${max}), not ${value}` });
    }
  };
  atMost('applicable_redeemables_limit', 'redeemables_limit');
  atMost('applicable_redeemables_per_category_limit', 'applicable_redeemables_limit');
  atMost('applicable_exclusive_redeemables_per_category_limit', 'applicable_exclusive_redeemables_limit');
  const disjoint = (one: keyof StackingSettings, other: keyof StackingSettings): void => {
    const shared = (settings[one] as readonly string[]).filter((id) =>
      (settings[other] as readonly string[]).includes(id),
    );
    if (shared.length > 0) {
      problems.push({ path: below(path, other), message: `must not name ${shared.join(', ')}: ${one} does` });
    }
  };
  disjoint('exclusive_categories', 'joint_categories');
  disjoint('initial_amount_mode_categories', 'discounted_amount_mode_categories');
  disjoint('no_effect_skip_categories', 'no_effect_redeem_anyway_categories');
  return settings;
};
