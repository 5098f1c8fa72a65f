import { type OrderState, openTotalOf } from '../order/order-state';
import type { CalculationMode } from '../stacking/stacking-settings';

/** What a discount of the whole order is taken of by the calculation mode: what is left, or the initial amount.
 *  Source: reference 01 §5. */
export const orderBaseOf = (order: OrderState, mode: CalculationMode): number =>
  mode === 'INITIAL_AMOUNT' ? (order.initialAmount ?? 0) : openTotalOf(order);
