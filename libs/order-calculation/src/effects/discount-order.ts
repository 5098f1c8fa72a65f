import { type OrderState, openTotalOf } from '../order-state';

/** Takes up to `discountMinor` (a limit's fraction of a minor unit is lost) off the whole order, at most what is left. */
export const discountOrder = (order: OrderState, discountMinor: number): OrderState => {
  const applied = Math.min(Math.max(0, Math.floor(discountMinor)), openTotalOf(order));
  return applied === 0 ? order : { ...order, discountAmount: order.discountAmount + applied };
};
