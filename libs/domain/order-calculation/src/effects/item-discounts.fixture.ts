import { amount, fixed, percent } from '../calculation.fixture';
import type { AmountDiscount, Discount, PercentDiscount } from '../discount';

const amountWith =
  (effect: NonNullable<AmountDiscount['effect']>) =>
  (amountOff: number, more: Partial<AmountDiscount> = {}): Discount =>
    amount(amountOff, { effect, ...more });

export const toItems = amountWith('APPLY_TO_ITEMS');
export const byQuantity = amountWith('APPLY_TO_ITEMS_BY_QUANTITY');
export const proportionally = amountWith('APPLY_TO_ITEMS_PROPORTIONALLY');
export const proportionallyByQuantity = amountWith('APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY');

export const percentToItems = (percentOff: number, more: Partial<PercentDiscount> = {}): Discount =>
  percent(percentOff, { effect: 'APPLY_TO_ITEMS', ...more });

export const newPrice = (fixedAmount: number): Discount => fixed(fixedAmount, { effect: 'APPLY_TO_ITEMS' });
