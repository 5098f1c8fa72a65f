import { type LineState, openSubtotalOf, paidUnitsOf } from '../order/order-state';
import type { CalculationMode } from '../stacking/stacking-settings';
import { type Proportion, portionOf } from './portion';

/** What `units` of a line are worth by the calculation mode, and `proportion` of that: their share of the subtotal that
 *  is left, or of the initial amount. Minor units, rounded half up once. Source: reference 01 §5. */
export const basePortionOf = (
  line: LineState,
  units: number,
  mode: CalculationMode,
  proportion?: Proportion,
): number =>
  mode === 'INITIAL_AMOUNT'
    ? portionOf(line.initialAmount ?? 0, units, line.initialQuantity, proportion)
    : portionOf(openSubtotalOf(line), units, paidUnitsOf(line), proportion);

/** The eligible part of a line's subtotal: what may come off it at most. */
export const eligibleSubtotalOf = (line: LineState, units: number): number =>
  basePortionOf(line, units, 'DISCOUNTED_AMOUNT');
