import { DifferenceLedger } from './difference-ledger';
import type { OrderInput } from './order';
import type { OrderDifference } from './order-difference';
import type { NamedOrder } from './normalise-order';
import type { OrderState } from './order-state';

/** Cuts differences to what the order holds. */
export const fitTo = (ledger: DifferenceLedger, { lines, discountAmount }: OrderState): void => {
  for (const [index, line] of lines.entries()) {
    ledger.cutLine(index, 'discount_amount', line.discountAmount);
    ledger.cutLine(index, 'free_quantity', line.freeQuantity);
  }
  ledger.cutOrder(discountAmount);
};

/** What is left of earlier redemptions' differences (by redemption, oldest first) in an order that a request named and
 *  perhaps overwrote: with its items their item discounts and units are gone, and what the order no longer holds is
 *  cut. `state`: what `normaliseOrder` made of the request. Source: reference 01 §3. */
export const keptDifferences = (
  differences: Readonly<Record<string, OrderDifference>>,
  sent: OrderInput,
  namedBy: NamedOrder['namedBy'],
  state: OrderState,
): Record<string, OrderDifference> => {
  const overwrites = namedBy === 'id';
  const replacesItems = overwrites && Boolean(sent.items);
  const replacesAmount = replacesItems || (overwrites && sent.amount !== undefined && sent.amount !== null);
  const left = Object.values(differences).map(({ amount, items, ...rest }) => ({
    ...rest,
    ...(replacesAmount || amount === undefined ? {} : { amount }),
    ...(replacesItems || items === undefined ? {} : { items }),
  }));
  const ledger = new DifferenceLedger(left);
  fitTo(ledger, state);
  const fitted = ledger.differences();
  return Object.fromEntries(Object.keys(differences).map((id, position) => [id, fitted[position]!]));
};
