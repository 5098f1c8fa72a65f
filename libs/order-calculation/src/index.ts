export type { AmountDiscount, Discount, FixedDiscount, PercentDiscount, UnitDiscount } from './discount';
export type {
  CalculatedOrder,
  CalculatedOrderItem,
  OrderInput,
  OrderItemInput,
  OrderTotals,
  SentNumber,
} from './order';
export type { LineState, OrderState } from './order-state';
export { type NamedOrder, normaliseOrder, orderLinesMax } from './normalise-order';
export { effectNameOf } from './effects/registry';
export { type CalculationMode, type StackingSettings, defaultStackingSettings } from './stacking-settings';
export {
  type CalculatedRedeemable,
  type Incentive,
  type Redeemable,
  type SkipReason,
  skipMessages,
} from './redeemable';
export { type Calculation, type CalculationContext, type Consumption, calculate } from './calculate';
export { removeDiscounts } from './remove-discounts';
