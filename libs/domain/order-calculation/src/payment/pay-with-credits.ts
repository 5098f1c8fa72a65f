import type { Refusal } from '@scrip/kernel/pure';
import type { CalculationRefusalKey } from '../calculation-refusals';
import { discountItems } from '../effects/discount-items';
import { discountOrder } from '../effects/discount-order';
import type { OrderState } from '../order/order-state';
import type { GiftIncentive } from '../redeemable';
import type { Coverage } from '../scoping/coverage';
import type { ItemScope } from '../scoping/item-scope';
import { linesInScope } from '../scoping/lines-in-scope';
import { paymentRefusals } from './payment-refusals';

type Gift = GiftIncentive['gift'];

/** Credits that the card may spend on this request; refuses more than is there. Source: reference 01 §7. */
const wantedCredits = ({ balance, locked = 0, credits }: Gift): number | null => {
  const available = Math.max(0, balance - locked);
  const wanted = credits ?? available;
  return wanted > available ? null : wanted;
};

/** Why the card cannot pay for this order; null when it can. Source: reference 01 §7, reference 03 §4.3 (checks 12, 13). */
export const creditsRefusal = (
  gift: Gift,
  code: string,
  order: OrderState | null,
  scope: ItemScope,
): Refusal<CalculationRefusalKey> | null => {
  if (!order) return paymentRefusals.missingOrder('GIFT_VOUCHER');
  if (gift.effect === 'APPLY_TO_ITEMS') {
    if (order.lines.length === 0) return paymentRefusals.missingItems('GIFT_VOUCHER');
    // Lines that nothing can come off any more only leave the card without effect.
    if (!linesInScope(order, scope).some(({ amount }) => amount !== undefined)) {
      return paymentRefusals.missingItemsAmount('GIFT_VOUCHER');
    }
  } else if (order.amount === undefined) {
    return paymentRefusals.missingAmount('GIFT_VOUCHER');
  }
  return wantedCredits(gift) === null ? paymentRefusals.creditsExceeded(code) : null;
};

/** The order with as many credits spent as it takes, order-level or on covered lines in sequence; the same order where
 *  it takes none. `coverage`: lines that APPLY_TO_ITEMS may touch, and what may come off them. Credits beyond the open
 *  total stay on the card. Source: reference 01 §6, §7. */
export const payWithCredits = (order: OrderState, gift: Gift, coverage: Coverage): OrderState => {
  const credits = wantedCredits(gift) ?? 0;
  return gift.effect === 'APPLY_TO_ITEMS'
    ? discountItems(order, coverage, {
        wantedOf: () => credits,
        aggregatedAmountLimit: credits,
        countsUnits: () => false,
      })
    : discountOrder(order, credits);
};
