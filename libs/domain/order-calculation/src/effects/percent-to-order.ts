import type { PercentDiscount } from '../discount';
import { discountOrder } from './discount-order';
import type { Effect } from './effect';
import { limitOf } from './limit';
import { orderBaseOf } from './order-base';
import { percentageOf } from './percentage';
import { portionOf } from './portion';

/** min(`percent_off` of the base, `amount_limit`, what is left); bundles multiply the percentage.
 *  Source: reference 01 §5, §9. */
export const percentToOrder: Effect<PercentDiscount> = {
  type: 'PERCENT',
  effect: 'APPLY_TO_ORDER',
  apply: (order, { discount: { percent_off, amount_limit }, exactPercent, times }, { mode }) => {
    const percentage = percentageOf(exactPercent ?? percent_off, times);
    return discountOrder(
      order,
      Math.min(portionOf(orderBaseOf(order, mode), 1, 1, percentage), limitOf(amount_limit)),
    );
  },
};
