import {
  type Formula,
  type FormulaContext,
  type FormulaLine,
  compileFormula,
  isFormulaProblem,
} from '@scrip/formulas';
import type { CalculationContext } from '../calculation-context';
import { formulaContextOf } from '../formula-facts';
import type { OrderState } from '../order/order-state';
import type { Redeemable } from '../redeemable';
import type { CoveredLine } from '../scoping/coverage';

/** Minor units, units, or a percentage as decimal text. */
export type FormulaValue = number | string;

/** What a formula is evaluated on. */
export interface FormulaGround {
  readonly order: OrderState | null;
  readonly redeemable: Pick<Redeemable, 'facts'>;
  /** Undefined: the redeemable has no bundle. */
  readonly bundleQuantity: number | undefined;
  readonly context: CalculationContext;
}

/** How a field reads its formula's result; null: the evaluation failed. */
export type ReadFormula = (formula: Formula, context: FormulaContext) => FormulaValue | null;

/** Amounts in minor units; below 0 counts as 0. Source: reference 01 §2. */
export const readAmount: ReadFormula = (formula, context) => {
  const amountMinor = formula.amount(context);
  return amountMinor === null ? null : Math.max(0, amountMinor);
};

/** Units, integers ≥ 0. */
export const readUnits: ReadFormula = (formula, context) => formula.units(context);

/** Exact percentages as decimal text, clamped to 0…100. Source: reference 01 §2. */
export const readPercent: ReadFormula = (formula, context) => {
  const percent = formula.decimal(context);
  if (percent === null) return null;
  if (Number(percent) <= 0) return '0';
  return Number(percent) >= 100 ? '100' : percent;
};

/** What a field's formula gave: `value` for everything, or different values `byLine` (positions in the order).
 *  Null: nothing, the plain field holds. */
export type Settled =
  | { readonly value: FormulaValue; readonly byLine: null }
  | { readonly value: null; readonly byLine: ReadonlyMap<number, FormulaValue> }
  | null;

const compiled = (text: string | null | undefined): Formula | null => {
  if (!text) return null;
  const formula = compileFormula(text);
  // Formulas are checked when they are stored; one that doesn't compile any more fails like any evaluation.
  return isFormulaProblem(formula) ? null : formula;
};

const settledByLine = (
  read: (line: FormulaLine) => FormulaValue | null,
  fallback: FormulaValue,
  covered: readonly CoveredLine[],
  lines: readonly FormulaLine[],
): Settled => {
  const byLine = new Map<number, FormulaValue>();
  let succeeded = false;
  let differs = false;
  let first: FormulaValue | undefined;
  for (const { index } of covered) {
    const result = read(lines[index]!);
    const value = result ?? fallback;
    succeeded ||= result !== null;
    first ??= value;
    differs ||= String(value) !== String(first);
    byLine.set(index, value);
  }
  if (!succeeded) return null;
  return differs ? { value: null, byLine } : { value: first!, byLine: null };
};

/** Evaluates a field's formula: once, or, where it reads the current line, once per line of `covered` (null: the effect
 *  has none, which fails such a formula). Lines where it fails have the `fallback`. Source: reference 01 §8. */
export const settleFormula = (
  text: string | null | undefined,
  read: ReadFormula,
  fallback: FormulaValue,
  covered: readonly CoveredLine[] | null,
  { order, redeemable, bundleQuantity, context }: FormulaGround,
): Settled => {
  const formula = compiled(text);
  if (!formula) return null;
  const facts = formulaContextOf(redeemable, order, null, bundleQuantity, context);
  if (formula.readsLine && covered && facts.order) {
    // The order among the facts stays the same object, so that formulas look for its extremes once.
    const readLine = (line: FormulaLine) => read(formula, Object.assign({}, facts, { line }));
    return settledByLine(readLine, fallback, covered, facts.order.lines);
  }
  const value = read(formula, facts);
  return value === null ? null : { value, byLine: null };
};
