import type { CalculationContext } from '../calculation-context';
import type { LineIdentity } from '../catalogue/line-identity';
import type { Redeemable } from '../redeemable';
import { type ScopedItem, type UnitBudgetLimit, unitBudgetLimits } from './item-scope';
import type { UnitBudget } from './unit-budget';

/** What one of the eight limits counts. */
export interface BudgetKind {
  readonly limit: UnitBudgetLimit;
  readonly formula: `${UnitBudgetLimit}_formula`;
  readonly isPerCustomer: boolean;
  readonly isOfTier: boolean;
  /** Each product of a collection by itself. */
  readonly isPerProduct: boolean;
}

const budgetKinds: readonly BudgetKind[] = unitBudgetLimits.map((limit) => ({
  limit,
  formula: `${limit}_formula`,
  isPerCustomer: limit.includes('_customer_'),
  isOfTier: limit.includes('_promotion_tier_'),
  isPerProduct: limit.includes('_in_collection_'),
}));

/** The limits that a definition sets and that mean something for the redeemable: of a customer only with one, of a
 *  tier for tiers, per product for collections. */
export const budgetKindsOf = (
  definition: ScopedItem,
  { object }: Pick<Redeemable, 'object'>,
  { hasCustomer = false }: Pick<CalculationContext, 'hasCustomer'>,
): readonly BudgetKind[] =>
  budgetKinds.filter(
    ({ limit, formula, isPerCustomer, isOfTier, isPerProduct }) =>
      (definition[limit] !== undefined || definition[formula] !== undefined) &&
      (hasCustomer || !isPerCustomer) &&
      (object === 'promotion_tier' || !isOfTier) &&
      (definition.object === 'products_collection' || !isPerProduct),
  );

/** One name for an item, however its definitions name it. */
const itemOf = ({ object, id, source_id }: ScopedItem, line: LineIdentity): string => {
  const idOfLine = object === 'sku' ? line.skuId : object === 'product' ? line.productId : undefined;
  return `${object}:${id ?? idOfLine ?? source_id}`;
};

/** The product that a collection's budgets count a line for; a SKU whose product is unknown stands for itself. */
export const productOf = ({ productId, productSourceId, skuId, skuSourceId }: LineIdentity): string => {
  const product = productId ?? productSourceId;
  return product !== undefined ? `product:${product}` : `sku:${skuId ?? skuSourceId ?? ''}`;
};

/** The counter that units of a line count for by one of `kinds` of its definition. */
export const counterOf = (
  identity: LineIdentity,
  definition: ScopedItem,
  { limit, isOfTier, isPerProduct }: BudgetKind,
  { id, campaignId = id }: Pick<Redeemable, 'id' | 'campaignId'>,
): UnitBudget => {
  const item = itemOf(definition, identity);
  return {
    limit,
    owner: isOfTier ? id : campaignId,
    item: isPerProduct ? `${item}/${productOf(identity)}` : item,
  };
};

/** The counters that units of a line count for by all `kinds` of its definition. Source: reference 01 §6. */
export const countersOf = (
  identity: LineIdentity,
  definition: ScopedItem,
  kinds: readonly BudgetKind[],
  redeemable: Pick<Redeemable, 'id' | 'campaignId'>,
): UnitBudget[] => kinds.map((kind) => counterOf(identity, definition, kind, redeemable));
