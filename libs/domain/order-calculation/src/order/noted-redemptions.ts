import { heldDifferences, type NotedRedemption } from './held-differences';
import { keptDifferences } from './kept-differences';
import type { NamedOrder } from './normalise-order';
import type { OrderInput } from './order';
import type { OrderDifference } from './order-difference';
import type { OrderState } from './order-state';

/** A stored order with what it notes about its redemptions. */
interface NotedOrder<Entry extends NotedRedemption> {
  readonly redemptions: Readonly<Record<string, Entry>>;
}

/** Returns what the live redemptions of an order did to it, oldest first; undefined where one of them is from before
 *  differences were kept. */
export const knownDifferences = (
  order: NotedOrder<NotedRedemption & { rollback_id?: string }>,
): OrderDifference[] | undefined =>
  Object.values(order.redemptions).every(({ difference, rollback_id }) => difference ?? rollback_id)
    ? Object.values(heldDifferences(order))
    : undefined;

/** Returns the entries with these differences in place of their own; entries that are not named keep theirs. */
export const withDifferences = <Entry extends NotedRedemption>(
  entries: Readonly<Record<string, Entry>>,
  differences: Readonly<Record<string, OrderDifference>>,
): Record<string, Entry> =>
  Object.fromEntries(
    Object.entries(entries).map(([id, entry]) => {
      const difference = differences[id];
      return [id, difference ? { ...entry, difference } : entry];
    }),
  );

/** Returns the entries of an order's redemptions with what the order still holds of each, after a request named the order
 *  and perhaps overwrote it. `state`: what `normaliseOrder` made of the request. Source: reference 01 §3. */
export const keptRedemptions = <Entry extends NotedRedemption>(
  order: NotedOrder<Entry>,
  sent: OrderInput,
  namedBy: NamedOrder['namedBy'],
  state: OrderState,
): Record<string, Entry> =>
  withDifferences(order.redemptions, keptDifferences(heldDifferences(order), sent, namedBy, state));
