export type { Discount } from './discount';
export { type CalculatedOrder, type OrderItemInput, withoutTotals } from './order/order';
export { type OrderState, openTotalOf, orderView, unitPriceOf } from './order/order-state';
export { itemMetadata } from './order/item-metadata';
export {
  type NamedOrder,
  type OrderKnowledge,
  normaliseOrder,
  storedOrderState,
} from './order/normalise-order';
export type { OrderDifference } from './order/order-difference';
export { heldDifferences } from './order/held-differences';
export { keptRedemptions, knownDifferences, withDifferences } from './order/noted-redemptions';
export { undoRedemption } from './order/undo-redemption';
export { Catalogue } from './catalogue/catalogue';
export { type LineReferences, recordOf } from './catalogue/identify';
export { lineMatches } from './catalogue/line-identity';
export { type ItemScope, definitionsOf, unitBudgetLimits } from './scoping/item-scope';
export { linesInScope } from './scoping/lines-in-scope';
export { isPerCustomer, touchedBudgets, unitTypesOf } from './scoping/touched-budgets';
export { type UnitBudget, unitBudgetName } from './scoping/unit-budget';
export { givesUnitsOfLines } from './units/gives-units-of-lines';
export { effectNameOf } from './effects/registry';
export type { BundleResult } from './bundles/bundle-rules';
export { matchBundle } from './bundles/match-bundle';
export type { ConsumedUnits, Consumption } from './consumption';

export type { CalculatedRedeemable, PromotionStack, Redeemable, RedeemableResult } from './redeemable';
export { type StackingSettings, defaultStackingSettings } from './stacking/stacking-settings';
export { skipMessages } from './stacking/skip-reasons';
export type { AppliedStep, CalculationContext } from './calculation-context';
export {
  type CalculationRefusalKey,
  type OrderRefusalKey,
  type RuleRefusalKey,
  calculationMessages,
} from './calculation-refusals';
export { calculate } from './calculate';
