import type { Catalogue } from './catalogue/catalogue';
import { differenceBetween } from './order/order-difference';
import { type KnownLineViews, type OrderState, orderView } from './order/order-state';
import type { CalculatedRedeemable, Redeemable, RedeemableResult } from './redeemable';
import type { Coverage } from './scoping/coverage';
import type { ItemScope } from './scoping/item-scope';
import { scopeLists } from './scoping/scope-lists';

/** What the views of a redeemable that applied are made of. It lives as long as the outcome: nothing else of the turn
 *  does. */
export interface AppliedState {
  readonly before: OrderState | null;
  readonly after: OrderState | null;
  readonly scope: ItemScope;
  readonly coverage: Pick<Coverage, 'matches'>;
  readonly catalogue: Catalogue;
  /** Of the request, so that its orders share the lines that they have in common. */
  readonly lineViews: KnownLineViews;
}

type Applicable = Extract<CalculatedRedeemable, { status: 'APPLICABLE' }>;

/** What `make` returns, made when it is first asked for. */
const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
};

/** A redeemable that applied. Its views are made when they are read, each once: thirty of them on a hundred lines are more
 *  work than the calculation. */
export const applicable = (
  { object, id }: Pick<Redeemable, 'object' | 'id'>,
  result: RedeemableResult,
  { before, after, scope, coverage, catalogue, lineViews }: AppliedState,
): Applicable => {
  const order = once(() => after && orderView(after, before ?? after, lineViews));
  const difference = once(() => after && differenceBetween(before ?? after, after));
  const lists = once(() => scopeLists(before, scope, coverage, catalogue));
  return {
    object,
    id,
    status: 'APPLICABLE',
    get order() {
      return order();
    },
    get difference() {
      return difference();
    },
    get applicable_to() {
      return lists().applicable_to;
    },
    get inapplicable_to() {
      return lists().inapplicable_to;
    },
    result,
  };
};
