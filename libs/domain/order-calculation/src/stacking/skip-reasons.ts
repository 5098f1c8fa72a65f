/** Why a redeemable was passed over. Source: reference 01 §10. */
export type SkipReason = keyof typeof skipMessages;

/** The sentence that goes with each reason. Source: reference 01 §10. */
export const skipMessages = {
  applicable_redeemables_limit_exceeded: 'Applicable redeemables limit exceeded',
  applicable_exclusive_redeemables_limit_exceeded: 'Applicable exclusive redeemables limit exceeded',
  applicable_redeemables_per_category_limit_exceeded: 'Applicable redeemables limit per category exceeded',
  applicable_exclusive_redeemables_per_category_limit_exceeded:
    'Applicable exclusive redeemables limit per category exceeded',
  exclusion_rules_not_met: 'Redeemable cannot be applied due to exclusion rules',
  preceding_validation_failed: 'Redeemable cannot be applied due to preceding validation failure',
  no_effect: 'Redeemable cannot be applied due to no effect',
} as const;
