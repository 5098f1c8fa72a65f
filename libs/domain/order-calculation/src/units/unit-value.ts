import { roundHalfUp } from '@scrip/kernel/pure';
import type { LineState } from '../order/order-state';

/** What `units` of a line's item cost, in minor units, at its price, else at the average of the line (of the cart's
 *  line, where no unit is left). Undefined: the line has no amount. Beyond 2^53 − 1 the value is no safe integer.
 *  Source: reference 01 §3, §7. */
export const valueOf = (line: LineState, units: number): number | undefined => {
  if (line.amount === undefined) return undefined;
  if (line.echo.price !== undefined) return line.echo.price * units;
  const [amount, quantity] =
    line.quantity > 0 ? [line.amount, line.quantity] : [line.initialAmount ?? 0, line.initialQuantity];
  return quantity === 0 ? 0 : Number(roundHalfUp(BigInt(amount) * BigInt(units), BigInt(quantity)));
};
