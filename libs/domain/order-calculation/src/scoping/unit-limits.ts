import type { CalculationContext } from '../calculation-context';
import type { LineState } from '../order/order-state';
import type { Redeemable } from '../redeemable';
import { budgetKindsOf, countersOf } from './budgets';
import type { DefinitionFormulas } from './definition-formulas';
import type { ScopedItem } from './item-scope';
import { type UnitBudget, unitBudgetName } from './unit-budget';

/** A limit as definitions set it; absent: no limit. */
const limitOf = (set: number | undefined): number =>
  set === undefined ? Infinity : Math.max(0, Math.floor(set));

/** Units that budgets have counted, a step's own included. */
export class BudgetCounters {
  private readonly counted = new Map<string, number>();

  /** `spent`: units counted earlier in the request, by name of the budget. */
  constructor(
    private readonly redeemable: Redeemable,
    private readonly unitsUsed: CalculationContext['unitsUsed'],
    private readonly spent: ReadonlyMap<string, number>,
  ) {}

  of(budget: UnitBudget, name: string): number {
    const known = this.counted.get(name);
    if (known !== undefined) return known;
    const units = (this.unitsUsed?.(budget, this.redeemable) ?? 0) + (this.spent.get(name) ?? 0);
    this.counted.set(name, units);
    return units;
  }

  count(budget: UnitBudget, name: string, units: number): void {
    this.counted.set(name, this.of(budget, name) + units);
  }
}

/** The limits of units that one definition sets, during one step. Lines consume them in the order in which they ask. */
export class UnitLimits {
  private readonly perLine: number;
  private left: number;
  private readonly budgetKinds: ReturnType<typeof budgetKindsOf>;
  /** Whether it sets any. */
  readonly areSet: boolean;

  constructor(
    private readonly definition: ScopedItem,
    private readonly redeemable: Redeemable,
    context: CalculationContext,
    private readonly formulas: DefinitionFormulas,
    private readonly counters: BudgetCounters,
  ) {
    this.perLine = limitOf(definition.quantity_limit);
    this.left = limitOf(definition.aggregated_quantity_limit);
    this.budgetKinds = budgetKindsOf(definition, redeemable, context);
    this.areSet = this.perLine !== Infinity || this.left !== Infinity || this.budgetKinds.length > 0;
  }

  /** Of the `wanted` units of the line at `index`, as many as all limits leave; they are consumed. */
  take(line: LineState, index: number, wanted: number): number {
    let units = Math.min(wanted, this.perLine, this.left);
    if (units === 0) return 0;
    const budgets = countersOf(line, this.definition, this.budgetKinds, this.redeemable);
    const names = budgets.map(unitBudgetName);
    for (const [position, { limit, formula }] of this.budgetKinds.entries()) {
      const allowed = this.formulas.units(this.definition[formula], index) ?? limitOf(this.definition[limit]);
      units = Math.min(units, allowed - this.counters.of(budgets[position]!, names[position]!));
    }
    if (units <= 0) return 0;
    this.left -= units;
    for (const [position, budget] of budgets.entries()) {
      this.counters.count(budget, names[position]!, units);
    }
    return units;
  }
}
