import { isRefused } from '@scrip/kernel';
import { type Calculation, calculate } from './calculate';
import type { CalculationContext } from './calculation-context';
import { Catalogue, type CatalogueRecords } from './catalogue/catalogue';
import type { AmountDiscount, Discount, FixedDiscount, PercentDiscount, UnitDiscount } from './discount';
import { normaliseOrder } from './order/normalise-order';
import type { CalculatedOrder, OrderInput, OrderItemInput } from './order/order';
import type { OrderState } from './order/order-state';
import type { PromotionStack, Redeemable } from './redeemable';
import { type ItemScope, type ScopedItem, wholeOrder } from './scoping/item-scope';
import { type StackingSettings, defaultStackingSettings } from './stacking/stacking-settings';

/** The order a request means; `stored`: the order that it names by id. */
export const cart = (
  sent: OrderInput,
  {
    stored,
    records,
    collections = [],
  }: { stored?: CalculatedOrder; records?: CatalogueRecords; collections?: string[][] } = {},
): OrderState => {
  const named = stored ? ({ namedBy: 'id', order: stored } as const) : null;
  const order = normaliseOrder(sent, named, '', { catalogue: new Catalogue(records), collections });
  if (isRefused(order)) throw new Error(order.details);
  return order;
};

/** A line of a product at its own price. */
export const item = (id: string, price: number, quantity = 1): OrderItemInput => ({
  product_id: id,
  price,
  quantity,
});

/** A scope of these definitions. */
export const including = (...included: ScopedItem[]): ItemScope => ({ ...wholeOrder, included });

/** Definitions of products, on no particular terms. */
export const products = (...ids: string[]): ScopedItem[] => ids.map((id) => ({ object: 'product', id }));

export const amount = (amountOff: number, more: Partial<AmountDiscount> = {}): Discount => ({
  type: 'AMOUNT',
  amount_off: amountOff,
  ...more,
});
export const percent = (percentOff: number, more: Partial<PercentDiscount> = {}): Discount => ({
  type: 'PERCENT',
  percent_off: percentOff,
  ...more,
});
export const fixed = (fixedAmount: number, more: Partial<FixedDiscount> = {}): Discount => ({
  type: 'FIXED',
  fixed_amount: fixedAmount,
  ...more,
});
export const units = (
  effect: NonNullable<UnitDiscount['effect']>,
  unitOff: number,
  unitType: string,
): Discount => ({ type: 'UNIT', effect, unit_off: unitOff, unit_type: unitType });

export const voucher = (
  id: string,
  incentive: Redeemable['incentive'],
  more: Partial<Redeemable> = {},
): Redeemable => ({ object: 'voucher', id, incentive, ...more });

/** Vouchers CODE-1, CODE-2, … */
export const redeemables = (...discounts: Discount[]): Redeemable[] =>
  discounts.map((discount, index) => voucher(`CODE-${index + 1}`, { discount }));

export const calculated = (
  order: OrderState | null,
  list: readonly (Redeemable | PromotionStack)[],
  settings: Partial<StackingSettings> = {},
  context: CalculationContext = {},
): Calculation => calculate(order, list, { ...defaultStackingSettings, ...settings }, context);

/** What each redeemable took off, in turn. */
export const appliedBy = ({ redeemables: list }: Calculation): (number | undefined)[] =>
  list.map((one) => (one.status === 'APPLICABLE' ? one.order?.total_applied_discount_amount : undefined));

/** Discount of each line; 0 where it has none. */
export const lineDiscounts = ({ order }: Calculation): number[] | undefined =>
  order?.items.map(({ discount_amount: discount = 0 }) => discount);

/** What became of each redeemable, in turn. */
export const statuses = ({ redeemables: list }: Calculation): string[] =>
  list.map((one) => (one.status === 'SKIPPED' ? one.reason : one.status));

/** Error keys of what is inapplicable. */
export const refusals = ({ redeemables: list }: Calculation): string[] =>
  list.flatMap((one) => (one.status === 'INAPPLICABLE' ? [one.refusal.refused] : []));
