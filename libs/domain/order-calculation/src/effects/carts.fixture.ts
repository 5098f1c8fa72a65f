import { isRefused } from '@scrip/kernel';
import { emptyCatalogue } from '../catalogue/catalogue';
import type { CalculationContext } from '../calculation-context';
import type { Discount } from '../discount';
import { normaliseOrder } from '../order/normalise-order';
import type { OrderInput, OrderItemInput } from '../order/order';
import { type LineState, type OrderState, openTotalOf, paidUnitsOf } from '../order/order-state';
import type { Redeemable } from '../redeemable';
import type { CoveredLine, Coverage } from '../scoping/coverage';
import type { CalculationMode } from '../stacking/stacking-settings';
import { effectNameOf, effectOf } from './registry';
import { resolveDiscount } from './resolve-discount';
import type { ResolvedDiscount } from './resolved-discount';

export const orderOf = (sent: OrderInput): OrderState => {
  const order = normaliseOrder(sent);
  if (isRefused(order)) throw new Error(order.details);
  return order;
};

export const cart = (...items: OrderItemInput[]): OrderState => orderOf({ items });

/** The order with other figures, as earlier redeemables leave them. */
export const after = (
  order: OrderState,
  {
    discountAmount = order.discountAmount,
    lines = [],
  }: { discountAmount?: number; lines?: Partial<LineState>[] },
): OrderState => ({
  ...order,
  discountAmount,
  lines: order.lines.map((line, index) => ({ ...line, ...lines[index] })),
});

/** Lines of a coverage in processing order, without limits where none are given. */
export const covering = (
  lines: (Pick<CoveredLine, 'index' | 'units'> & Partial<CoveredLine>)[],
  aggregatedAmountLimits: (number | null)[] = [],
): Coverage => ({
  lines: lines.map((line) => ({
    definition: aggregatedAmountLimits.length > 0 ? 0 : null,
    newPrice: null,
    amountLimit: null,
    countsUnits: false,
    ...line,
  })),
  aggregatedAmountLimits,
});

const coveringAll = (order: OrderState): Coverage =>
  covering(order.lines.map((line, index) => ({ index, units: paidUnitsOf(line) })));

export interface Situation {
  coverage?: Coverage;
  mode?: CalculationMode;
  times?: number;
  bundleQuantity?: number;
  redeemable?: Pick<Redeemable, 'facts'>;
  context?: CalculationContext;
}

export const resolved = (
  discount: Discount,
  order: OrderState | null,
  { coverage, times = 1, bundleQuantity, redeemable = {}, context = {} }: Situation = {},
): ResolvedDiscount =>
  resolveDiscount(discount, {
    effect: effectNameOf(discount),
    order,
    redeemable,
    coverage: coverage ?? (order ? coveringAll(order) : covering([])),
    bundleQuantity,
    times,
    context,
  });

export const applied = (order: OrderState, discount: Discount, situation: Situation = {}): OrderState => {
  const effect = effectOf(discount);
  if (isRefused(effect)) throw new Error(effect.details);
  return effect.apply(order, resolved(discount, order, situation), {
    mode: situation.mode ?? 'DISCOUNTED_AMOUNT',
    coverage: situation.coverage ?? coveringAll(order),
    catalogue: emptyCatalogue,
    isClosed: () => false,
  });
};

/** Cumulative discount of each line. */
export const lineDiscounts = (order: OrderState): number[] =>
  order.lines.map(({ discountAmount }) => discountAmount);

export const lineDiscountQuantities = (order: OrderState): number[] =>
  order.lines.map(({ discountQuantity }) => discountQuantity);

export const totalOf = openTotalOf;
