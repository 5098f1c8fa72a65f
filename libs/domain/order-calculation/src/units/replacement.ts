import { isSafeAmount } from '@scrip/kernel/pure';
import { type LineState, changedLine } from '../order/order-state';
import { valueOf } from './unit-value';

/** One source line and the target line after units moved, and by how much the order's amount grows. */
export interface Replacement {
  readonly source: LineState;
  readonly target: LineState;
  readonly raise: number;
}

/** `taken` units leave the source line, `given` units join the target line. The target is discounted by what it costs
 *  more; a discount that the source has no amount for any more moves along. Null where nothing exact can be said: the
 *  target's price is unknown though the source's is known, or a figure would pass 2^53 − 1. `positions`: of the source
 *  line and the target line. Source: reference 01 §7. */
export const replacementOf = (
  source: LineState,
  taken: number,
  target: LineState,
  given: number,
  positions: readonly [number, number],
): Replacement | null => {
  const knownRemoved = valueOf(source, taken);
  const knownAdded = valueOf(target, given);
  if (knownAdded === undefined && knownRemoved !== undefined) return null;
  const removed = knownRemoved ?? 0;
  const added = knownAdded ?? 0;
  const sourceAmount = (source.amount ?? 0) - removed;
  const sourceDiscount = Math.min(source.discountAmount, sourceAmount);
  const moved = Math.min(source.discountAmount - sourceDiscount, added);
  const discount = Math.max(0, added - removed) + moved;
  const targetQuantity = target.quantity + given;
  const targetAmount = target.amount === undefined ? undefined : target.amount + added;
  if (!isSafeAmount(targetQuantity) || !isSafeAmount(targetAmount ?? 0)) return null;
  const detail = {
    source_index: positions[0],
    source_applied_quantity: -taken,
    source_applied_quantity_amount: 0 - removed,
    target_index: positions[1],
    target_applied_quantity: given,
    target_applied_quantity_amount: added,
    target_applied_discount_amount: discount,
  };
  const quantity = source.quantity - taken;
  return {
    raise: added - removed,
    source: changedLine(source, {
      quantity,
      amount: source.amount === undefined ? undefined : sourceAmount,
      discountAmount: sourceDiscount,
      discountQuantity: Math.min(source.discountQuantity, quantity),
      replacements: [...source.replacements, detail],
    }),
    target: changedLine(target, {
      quantity: targetQuantity,
      amount: targetAmount,
      discountAmount: target.discountAmount + discount,
      discountQuantity: target.discountQuantity + (discount > 0 ? given : 0),
    }),
  };
};
