import type { LineState, OrderState } from '../order/order-state';

/** What makes two lines the same product; lines that name none are products of their own. */
const productOf = ({ identity, echo }: LineState): unknown =>
  identity.productId ?? identity.productSourceId ?? identity.skuId ?? identity.skuSourceId ?? echo;

/** Whether a step took money off a line or gave units of it for free. Units that were only replaced cost what they cost. */
const isDiscounted = (line: LineState, before: LineState | undefined): boolean =>
  line.discountAmount > (before?.discountAmount ?? 0) || line.freeQuantity > (before?.freeQuantity ?? 0);

/** Products that redeemables of this request discounted on item level: where each may be discounted ONCE, later ones
 *  leave their lines alone. Discounts of the whole order neither mark nor respect it. Source: reference 01 §10 step 4.4. */
export class ClosedProducts {
  private readonly products = new Set<unknown>();

  readonly has = (line: LineState): boolean => this.products.has(productOf(line));

  note(before: OrderState, after: OrderState): void {
    for (const [index, line] of after.lines.entries()) {
      if (isDiscounted(line, before.lines[index])) this.products.add(productOf(line));
    }
  }
}
