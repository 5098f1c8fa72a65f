import type { Refusal } from '@scrip/kernel/pure';
import type { RuleRefusalKey } from '../calculation-refusals';
import type { ItemReference } from '../catalogue/item-reference';

/** What one bundle needs at least `quantity` (≥ 1) units of. Source: reference 01 §9, reference 02 §1.4. */
export interface BundleComponent extends ItemReference {
  readonly quantity: number;
}

/** What one rule wants in the order together. `limit`: 1…100 bundles count at most. */
export interface BundleNeed {
  /** In key order of the rule. */
  readonly components: readonly BundleComponent[];
  readonly limit: number;
}

/** Sets of items that must be in the order together. */
export interface BundleRules extends BundleNeed {
  /** What further rules want. Each is met by itself, from the same units. */
  readonly further?: readonly BundleNeed[];
  /** ONCE: the discount does not grow with the number of bundles. */
  readonly scaling: 'MULTIPLY' | 'ONCE';
  /** What answers an order without a whole bundle, naming the rules; absent: `order_rules_violated` without names. */
  readonly refusal?: Refusal<RuleRefusalKey>;
}

/** How often the bundle is in the order and which units it takes; `missing` (and `quantity` 0): what lacks for one.
 *  The shape answers show as `result.bundle`. Source: reference 01 §9. */
export interface BundleResult {
  quantity: number;
  limit: number;
  identified?: { id: string; object: 'product' | 'sku'; item_index: number; item_quantity: number }[];
  missing?: { id: string; object: ItemReference['object']; item_quantity: number }[];
}
