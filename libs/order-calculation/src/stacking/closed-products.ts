import type { LineState, OrderState } from '../order/order-state';

/** What makes two lines the same product; lines that name none are products of their own. */
const productOf = ({ identity, echo }: LineState): unknown =>
  identity.productId ?? identity.productSourceId ?? identity.skuId ?? identity.skuSourceId ?? echo;

/** Products that item-level discounts of this request touched: where each may be discounted ONCE, later redeemables
 *  leave their lines alone. Discounts of the whole order neither mark nor respect it. Source: spec 01 §10 step 4.4. */
export class ClosedProducts {
  private readonly products = new Set<unknown>();

  readonly has = (line: LineState): boolean => this.products.has(productOf(line));

  note(before: OrderState, after: OrderState): void {
    for (const [index, line] of after.lines.entries()) {
      if (line !== before.lines[index]) this.products.add(productOf(line));
    }
  }
}
