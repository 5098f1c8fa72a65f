import { type Refusal, refuse } from '@scrip/kernel';

const needed = (key: string, message: string, what: string, card: PaymentCard): Refusal =>
  refuse(key, `${what} required to redeem this ${card}`, { status: 400, message });

/** What pays. */
export type PaymentCard = 'GIFT_VOUCHER' | 'LOYALTY_CARD';

/** Why a card cannot pay. Source: spec 01 §7, spec 03 §4.3 (checks 2, 12–14). */
export const paymentRefusals = {
  missingOrder: (card: PaymentCard) => needed('missing_order', 'Missing order', 'Order is', card),
  missingAmount: (card: PaymentCard) => needed('missing_amount', 'Missing amount', 'Order amount is', card),
  missingItems: (card: PaymentCard) =>
    needed('missing_order_items', 'Missing order items', 'Order items are', card),
  missingItemsAmount: (card: PaymentCard) =>
    needed(
      'missing_order_items_amount',
      'Missing applicable order items',
      'At least one applicable order item with amount is',
      card,
    ),
  missingReward: () =>
    refuse('missing_reward', 'A reward is required when redeeming a LOYALTY_CARD', {
      status: 400,
      message: 'Missing reward',
    }),
  creditsExceeded: (code: string) =>
    refuse('gift_amount_exceeded', code, { status: 400, message: 'gift amount exceeded' }),
  pointsExceeded: (code: string) =>
    refuse('loyalty_card_points_exceeded', code, {
      status: 400,
      message: 'loyalty card points exceeded',
    }),
};
