import { DifferenceLedger } from './difference-ledger';
import { fitTo } from './kept-differences';
import { storedOrderState, withinAmount } from './normalise-order';
import { type CalculatedOrder, withoutTotals } from './order';
import { type OrderDifference, figuresOf, lineDifference, orderDifference } from './order-difference';
import { type LineState, type OrderState, orderView } from './order-state';

/** What stands in the order beyond the cart and the known differences: redemptions from before differences were kept. */
const unattributed = (order: OrderState, cart: OrderState, known: DifferenceLedger): OrderDifference => {
  const items = order.lines.flatMap((line, index) => {
    const rest = figuresOf(line);
    const base = figuresOf(cart.lines[index]);
    const sum = known.figuresAt(index);
    rest.quantity -= base.quantity + sum.quantity;
    rest.amount -= base.amount + sum.amount;
    rest.discount_amount = Math.max(0, rest.discount_amount - sum.discount_amount);
    rest.discount_quantity = Math.max(0, rest.discount_quantity - sum.discount_quantity);
    rest.free_quantity = Math.max(0, rest.free_quantity - sum.free_quantity);
    // Without a discount no unit is discounted.
    if (rest.discount_amount === 0 && line.discountAmount > 0) rest.discount_quantity = 0;
    return lineDifference(index, rest, []) ?? [];
  });
  return orderDifference(
    (order.amount ?? 0) - (cart.amount ?? 0) - known.amount,
    Math.max(0, order.discountAmount - known.discountAmount),
    items,
  );
};

/** The order without any redemption; lines that redemptions appended are empty. An order that doesn't say what it was
 *  initially has only discounts to lose. */
const cartOf = (order: OrderState, known: DifferenceLedger): OrderState => ({
  amount: order.amount === undefined ? undefined : (order.initialAmount ?? order.amount - known.amount),
  initialAmount: order.initialAmount,
  discountAmount: 0,
  lines: order.lines.map((line, index): LineState => ({
    ...line,
    quantity: line.initialQuantity,
    amount:
      line.amount === undefined
        ? undefined
        : (line.initialAmount ?? line.amount - known.figuresAt(index).amount),
    discountAmount: 0,
    discountQuantity: 0,
    freeQuantity: 0,
    replacements: [],
  })),
});

const stateOf = (cart: OrderState, ledger: DifferenceLedger): OrderState =>
  withinAmount({
    amount: cart.amount === undefined ? undefined : Math.max(0, cart.amount + ledger.amount),
    initialAmount: cart.initialAmount,
    discountAmount: Math.max(0, ledger.discountAmount),
    lines: cart.lines.map((line, index): LineState => {
      const sum = ledger.figuresAt(index);
      const quantity = Math.max(0, line.quantity + sum.quantity);
      const amount = line.amount === undefined ? undefined : Math.max(0, line.amount + sum.amount);
      return {
        ...line,
        quantity,
        amount,
        discountAmount: Math.max(0, Math.min(sum.discount_amount, amount ?? 0)),
        discountQuantity: Math.max(0, sum.discount_quantity),
        freeQuantity: Math.max(0, Math.min(sum.free_quantity, quantity)),
      };
    }),
  });

/** A stored order without one of its redemptions: `undone` is what that one did, `others` what the other live ones did,
 *  oldest first, by redemption. Exactly its part leaves: order and item discounts, units that it added, units that it
 *  replaced come back, units that it freed are paid again. What other redemptions did to units that are gone by that is
 *  gone too, and `others` in the answer no longer holds it. Everything that is not calculated stays; `applied_*` are
 *  gone. An order from before differences were kept loses at most the discounts that it has.
 *  Source: reference 03 §9. */
export const undoRedemption = <T extends CalculatedOrder>(
  order: T,
  undone: OrderDifference,
  others: Readonly<Record<string, OrderDifference>>,
): { order: T; others: Record<string, OrderDifference> } => {
  const known = [undone, ...Object.values(others)];
  const stored = storedOrderState(order, undefined, known);
  const cart = cartOf(stored, new DifferenceLedger(known));
  const earlier = unattributed(stored, cart, new DifferenceLedger(known));
  const ledger = new DifferenceLedger([earlier, ...Object.values(others)]);
  ledger.giveBackMissingUnits(cart.lines.map(({ quantity }) => quantity));
  ledger.giveBackMissingAmount(cart.amount ?? 0);
  ledger.giveBackMissingDiscounts(cart.lines.length);
  const state = stateOf(cart, ledger);
  fitTo(ledger, state);

  const stays = state.lines.map(
    ({ initialQuantity, quantity }, index) =>
      initialQuantity > 0 || quantity > 0 || ledger.movesUnitsOf(index),
  );
  let position = 0;
  const positions = stays.map((staying) => (staying ? position++ : null));
  const left = { ...state, lines: state.lines.filter((_, index) => stays[index]) };
  const differences = ledger.differences((index) => positions[index] ?? null).slice(1);
  return {
    order: Object.assign(withoutTotals(order), orderView(left, left)),
    others: Object.fromEntries(Object.keys(others).map((id, index) => [id, differences[index]!])),
  };
};
