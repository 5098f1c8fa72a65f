import type { OrderDifference } from './order-difference';

/** What an order notes about one of its redemptions. `date`: ISO 8601 instant. `difference`: what the redemption did to
 *  the order; absent once it is undone. */
export interface NotedRedemption {
  date: string;
  difference?: OrderDifference | undefined;
}

const ageOf = ([id, { date }]: [string, NotedRedemption]): string => `${date} ${id}`;

/** What an order holds of its redemptions, by redemption, oldest first: stored JSON keeps no order of keys. */
export const heldDifferences = ({
  redemptions,
}: {
  readonly redemptions: Readonly<Record<string, NotedRedemption>>;
}): Record<string, OrderDifference> =>
  Object.fromEntries(
    Object.entries(redemptions)
      .sort((one, other) => (ageOf(one) < ageOf(other) ? -1 : 1))
      .flatMap(([id, { difference }]) => (difference ? [[id, difference] as const] : [])),
  );
