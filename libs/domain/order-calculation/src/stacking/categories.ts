import type { StackingSettings } from './stacking-settings';

/** A category as stacking sees it; a lower `hierarchy` comes earlier. */
export interface RedeemableCategory {
  readonly id: string;
  readonly hierarchy: number;
}

/** How a redeemable stacks: EXCLUSIVE next to other exclusive and joint ones only, JOINT next to everything.
 *  Source: reference 01 §10. */
export type StackingType = 'EXCLUSIVE' | 'JOINT' | 'COMMON';

/** The type of a redeemable with these categories: exclusive if any of them is, else joint if any is. */
export const stackingTypeOf = (
  categories: readonly Pick<RedeemableCategory, 'id'>[],
  { exclusive_categories, joint_categories }: StackingSettings,
): StackingType => {
  if (categories.some(({ id }) => exclusive_categories.includes(id))) return 'EXCLUSIVE';
  return categories.some(({ id }) => joint_categories.includes(id)) ? 'JOINT' : 'COMMON';
};
