import { type Refusal, refuse } from '@scrip/kernel/pure';
import type { CalculationRefusalKey } from '../calculation-refusals';

const needed = <Key extends CalculationRefusalKey>(key: Key, what: string, card: PaymentCard) =>
  refuse(key, `${what} required to redeem this ${card}`);

/** What pays. */
export type PaymentCard = 'GIFT_VOUCHER' | 'LOYALTY_CARD';

/** Why a card cannot pay. Source: reference 01 §7, reference 03 §4.3 (checks 2, 12–14). */
export const paymentRefusals = {
  missingOrder: (card: PaymentCard) => needed('missing_order', 'Order is', card),
  missingAmount: (card: PaymentCard) => needed('missing_amount', 'Order amount is', card),
  missingItems: (card: PaymentCard) => needed('missing_order_items', 'Order items are', card),
  missingItemsAmount: (card: PaymentCard) =>
    needed('missing_order_items_amount', 'At least one applicable order item with amount is', card),
  missingReward: () => refuse('missing_reward', 'A reward is required when redeeming a LOYALTY_CARD'),
  creditsExceeded: (code: string) => refuse('gift_amount_exceeded', code),
  pointsExceeded: (code: string) => refuse('loyalty_card_points_exceeded', code),
} satisfies Record<string, (...args: never[]) => Refusal<CalculationRefusalKey>>;
