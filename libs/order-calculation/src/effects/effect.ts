import type { Discount } from '../discount';
import type { OrderState } from '../order-state';
import type { CalculationMode } from '../stacking-settings';

/** What an effect may know besides the discount and the running order. */
export interface EffectContext {
  mode: CalculationMode;
}

/** One way a discount acts on an order: an exact function from order to order. It never takes more than is left and
 *  leaves an order without a known amount alone. Source: spec 01 §5. */
export interface Effect<D extends Discount = Discount> {
  readonly type: D['type'];
  readonly effect: NonNullable<D['effect']>;
  apply(order: OrderState, discount: D, context: EffectContext): OrderState;
}
