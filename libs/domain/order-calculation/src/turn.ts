import type { BundleResult } from './bundles/bundle-rules';
import type { CalculationContext } from './calculation-context';
import { type Catalogue, emptyCatalogue } from './catalogue/catalogue';
import type { LineState, OrderState } from './order/order-state';
import type { Redeemable } from './redeemable';
import { cover } from './scoping/cover';
import { type Coverage, emptyCoverage } from './scoping/coverage';
import { type ItemScope, wholeOrder } from './scoping/item-scope';
import type { CalculationMode } from './stacking/stacking-settings';

/** One redeemable at its turn: what it is, the order it meets, and what earlier ones left of shared limits. */
export interface Turn {
  readonly redeemable: Redeemable;
  /** The running order; null where the request has none. */
  readonly order: OrderState | null;
  readonly mode: CalculationMode;
  /** How its bundle was met; null without one. */
  readonly bundle: BundleResult | null;
  /** Whether a line's product takes no further discounts of items in this request. */
  readonly isClosed: (line: LineState) => boolean;
  /** Units counted by budgets earlier in this request. */
  readonly spentUnits: ReadonlyMap<string, number>;
  readonly context: CalculationContext;
}

export const scopeOf = ({ redeemable }: Turn): ItemScope => redeemable.scope ?? wholeOrder;

export const catalogueOf = ({ context }: Turn): Catalogue => context.catalogue ?? emptyCatalogue;

/** The turn for what acts on the whole order: which products are closed does not matter. Source: reference 01 §10 step 4.4. */
export const onWholeOrder = (turn: Turn): Turn => Object.assign({}, turn, { isClosed: () => false });

/** What a discount of items may touch at this turn. `scope`: with the unit limits that hold. */
export const coverageAt = (turn: Turn, scope: ItemScope = scopeOf(turn)): Coverage =>
  turn.order
    ? cover(turn.order, turn.redeemable, {
        scope,
        bundleQuantity: turn.bundle?.quantity,
        context: turn.context,
        isClosed: turn.isClosed,
        spent: turn.spentUnits,
      })
    : emptyCoverage;
