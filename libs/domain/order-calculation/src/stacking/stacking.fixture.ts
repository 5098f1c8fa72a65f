import { amount, type calculated, cart, voucher } from '../calculation.fixture';
import type { Redeemable } from '../redeemable';
import type { RedeemableCategory } from './categories';

/** An order of 100.00 without lines. */
export const order = cart({ amount: 10000 });

export const category = (id: string, hierarchy = 0): RedeemableCategory => ({ id, hierarchy });

/** A voucher for 1.00 off. */
export const inCategories = (id: string, ...categories: RedeemableCategory[]): Redeemable =>
  voucher(id, { discount: amount(100) }, { categories });

/** Redeemables in processing order. */
export const ids = ({ redeemables }: ReturnType<typeof calculated>): string[] =>
  redeemables.map(({ id }) => id);
