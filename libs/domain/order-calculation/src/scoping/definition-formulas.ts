import { type Formula, type FormulaContext, compileFormula, isFormulaProblem } from '@scrip/formulas';
import type { CalculationContext } from '../calculation-context';
import { formulaContextOf } from '../formula-facts';
import type { OrderState } from '../order/order-state';
import type { Redeemable } from '../redeemable';

/** The formulas of definitions on one running order. What they read is gathered once, when a first formula asks.
 *  Source: reference 01 §8, reference 02 §6. */
export class DefinitionFormulas {
  private facts: FormulaContext | undefined;

  constructor(
    private readonly order: OrderState,
    private readonly redeemable: Redeemable,
    private readonly bundleQuantity: number | undefined,
    private readonly context: CalculationContext,
  ) {}

  /** Minor units, at least 0, for the line at `index`; null: the plain field counts. */
  amount(text: string | undefined, index: number): number | null {
    const amount = this.evaluate(text, index, (formula, facts) => formula.amount(facts));
    return amount && Math.max(0, amount);
  }

  /** Whole units, at least 0, for the line at `index`; null: the plain field counts. */
  units(text: string | undefined, index: number): number | null {
    return this.evaluate(text, index, (formula, facts) => formula.units(facts));
  }

  private evaluate(
    text: string | undefined,
    index: number,
    read: (formula: Formula, facts: FormulaContext) => number | null,
  ): number | null {
    if (text === undefined) return null;
    const formula = compileFormula(text);
    return isFormulaProblem(formula) ? null : read(formula, this.factsFor(formula, index));
  }

  private factsFor({ readsLine }: Formula, index: number): FormulaContext {
    this.facts ??= formulaContextOf(this.redeemable, this.order, null, this.bundleQuantity, this.context);
    if (!readsLine) return this.facts;
    // The order among the facts stays the same object, so that formulas look for its extremes once.
    return Object.assign({}, this.facts, { line: this.facts.order!.lines[index]! });
  }
}
