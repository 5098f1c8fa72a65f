import { isRefused } from '@scrip/kernel';
import { calculated } from '../calculation.fixture';
import { Catalogue, type CatalogueRecords } from '../catalogue/catalogue';
import type { Redeemable } from '../redeemable';
import type { StackingSettings } from '../stacking/stacking-settings';
import { keptDifferences } from './kept-differences';
import { normaliseOrder } from './normalise-order';
import type { CalculatedOrder, OrderInput } from './order';
import type { OrderDifference } from './order-difference';
import { undoRedemption } from './undo-redemption';

/** An order as it is stored: its figures and what its live redemptions did. */
export interface RedeemedOrder {
  order: CalculatedOrder;
  differences: Record<string, OrderDifference>;
}

const stateOf = (before: RedeemedOrder | null, sent: OrderInput, catalogue: Catalogue) => {
  const named = before && {
    namedBy: 'id' as const,
    order: before.order,
    differences: Object.values(before.differences),
  };
  const state = normaliseOrder(sent, named, '', { catalogue });
  if (isRefused(state)) throw new Error(state.details);
  return state;
};

/** Redeems `list` as redemption `id` on a stored order (null: a new one), `sent` over it; whatever of it applies. */
export const redeemed = (
  before: RedeemedOrder | null,
  id: string,
  list: readonly Redeemable[],
  sent: OrderInput = {},
  records: CatalogueRecords = {},
  settings: Partial<StackingSettings> = {},
): RedeemedOrder => {
  const state = stateOf(before, sent, new Catalogue(records));
  const { order, difference } = calculated(state, list, settings, { catalogue: new Catalogue(records) });
  const kept = before ? keptDifferences(before.differences, sent, 'id', state) : {};
  return { order: order!, differences: { ...kept, [id]: difference! } };
};

/** Rolls one of its redemptions back. */
export const undone = ({ order, differences }: RedeemedOrder, id: string): RedeemedOrder => {
  const { [id]: own, ...others } = differences;
  const left = undoRedemption(order, own!, others);
  return { order: left.order, differences: left.others };
};

const perRequest = /^applied_|^items_applied|^total_applied|^application_details$/;

/** The figures without those that tell of one request. */
export const lasting = (order: CalculatedOrder): object => {
  const without = (one: object): object =>
    Object.fromEntries(Object.entries(one).filter(([field]) => !perRequest.test(field)));
  return { ...without(order), items: order.items.map(without) };
};
