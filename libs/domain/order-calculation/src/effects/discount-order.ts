import { type OrderState, openTotalOf } from '../order/order-state';

/** Takes `discountMinor` (an integer; nothing where it is negative) off the whole order, at most what is left. */
export const discountOrder = (order: OrderState, discountMinor: number): OrderState => {
  const applied = Math.min(discountMinor, openTotalOf(order));
  return applied > 0 ? Object.assign({}, order, { discountAmount: order.discountAmount + applied }) : order;
};
