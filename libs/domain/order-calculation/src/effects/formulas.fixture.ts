import type { AmountDiscount, Discount } from '../discount';
import { type Situation, cart, resolved } from './carts.fixture';

/** 50.00 in two lines. */
export const order = cart({ price: 1000, quantity: 2 }, { price: 3000 });

/** An amount by formula; 5.00 where it fails. */
export const amountBy = (formula: string | null, effect?: AmountDiscount['effect']): Discount =>
  ({ type: 'AMOUNT', amount_off: 500, amount_off_formula: formula, ...(effect && { effect }) }) as Discount;

/** How answers show the discount. */
export const shown = (discount: Discount, situation?: Situation): Record<string, unknown> => ({
  ...resolved(discount, order, situation).discount,
});
