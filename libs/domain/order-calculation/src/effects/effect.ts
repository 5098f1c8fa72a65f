import type { Catalogue } from '../catalogue/catalogue';
import type { Discount } from '../discount';
import type { OrderState } from '../order/order-state';
import type { Coverage } from '../scoping/coverage';
import type { CalculationMode } from '../stacking/stacking-settings';
import type { ResolvedDiscount } from './resolved-discount';

/** What an effect may know besides the discount and the running order. */
export interface EffectContext {
  readonly mode: CalculationMode;
  /** Lines that effects on items may touch. */
  readonly coverage: Coverage;
  /** Records of what free units are units of. */
  readonly catalogue: Catalogue;
  /** Whether an earlier redeemable discounted this line's product and discounts of one product don't stack. */
  readonly isClosed: (line: OrderState['lines'][number]) => boolean;
}

/** One way a discount acts on an order: an exact function from order to order. It never takes more than is left and
 *  answers the very same order where it has no effect. Source: reference 01 §5. */
export interface Effect<D extends Discount = Discount> {
  readonly type: D['type'];
  readonly effect: NonNullable<D['effect']>;
  apply(order: OrderState, discount: ResolvedDiscount<D>, context: EffectContext): OrderState;
}
