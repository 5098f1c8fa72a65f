import type { PromotionStack, Redeemable } from '../redeemable';
import { type RedeemableCategory, type StackingType, stackingTypeOf } from './categories';
import type { StackingSettings } from './stacking-settings';

/** A redeemable at its turn, with what stacking knows of it. */
export interface QueuedRedeemable {
  readonly redeemable: Redeemable;
  /** Ascending hierarchy. */
  readonly categories: readonly RedeemableCategory[];
  readonly stackingType: StackingType;
}

const none: readonly RedeemableCategory[] = [];

/** A stack's tiers in stored order; the stack's categories replace theirs. Source: reference 01 §10 (expand). */
const expanded = (requested: Redeemable | PromotionStack): readonly Redeemable[] => {
  if (requested.object !== 'promotion_stack') return [requested];
  const { tiers, categories = none } = requested;
  return categories.length === 0 ? tiers : tiers.map((tier) => ({ ...tier, categories }));
};

const ascending = (categories: readonly RedeemableCategory[]): readonly RedeemableCategory[] =>
  categories.length < 2 ? categories : [...categories].sort((one, other) => one.hierarchy - other.hierarchy);

const hierarchyOf = ({ categories }: QueuedRedeemable): number => categories[0]?.hierarchy ?? Infinity;

const byHierarchy = (one: QueuedRedeemable, other: QueuedRedeemable): number => {
  const [left, right] = [hierarchyOf(one), hierarchyOf(other)];
  return left === right ? 0 : left - right;
};

/** Exclusive ones first where there are any: they decide whether common ones have their turn. */
const grouped = (
  queue: readonly QueuedRedeemable[],
  rule: StackingSettings['grouped_redeemables_sorting_rule'],
): readonly QueuedRedeemable[] => {
  const of = (...types: StackingType[]) => queue.filter(({ stackingType }) => types.includes(stackingType));
  if (of('EXCLUSIVE').length === 0) return queue;
  return rule === 'JOINT_ALWAYS_LAST'
    ? [...of('EXCLUSIVE'), ...of('COMMON'), ...of('JOINT')]
    : [...of('EXCLUSIVE', 'JOINT'), ...of('COMMON')];
};

/** The redeemables of a request in the order of their turns: stacks expanded, sorted by the settings (ties in request
 *  order, uncategorised ones last), exclusive ones before common ones. Tiers of a stack stay as the stack has them.
 *  Source: reference 01 §10 (expand, sort, group). */
export const processingOrder = (
  requested: readonly (Redeemable | PromotionStack)[],
  settings: StackingSettings,
): readonly QueuedRedeemable[] => {
  const queue = requested.flatMap(expanded).map((redeemable): QueuedRedeemable => {
    const categories = ascending(redeemable.categories ?? none);
    return { redeemable, categories, stackingType: stackingTypeOf(categories, settings) };
  });
  // A stack stands alone in its request.
  if (requested.some(({ object }) => object === 'promotion_stack')) return queue;
  const sorts = settings.redeemables_sorting_rule === 'CATEGORY_HIERARCHY';
  return grouped(sorts ? queue.sort(byHierarchy) : queue, settings.grouped_redeemables_sorting_rule);
};
