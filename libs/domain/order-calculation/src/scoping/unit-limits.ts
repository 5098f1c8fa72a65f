import type { CalculationContext } from '../calculation-context';
import type { LineIdentity } from '../catalogue/line-identity';
import type { LineState } from '../order/order-state';
import type { Redeemable } from '../redeemable';
import { type BudgetKind, budgetKindsOf, counterOf, productOf } from './budgets';
import type { DefinitionFormulas } from './definition-formulas';
import type { ScopedItem } from './item-scope';
import { type NamedBudget, unitBudgetName } from './unit-budget';

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

  of({ budget, name }: NamedBudget): number {
    const known = this.counted.get(name);
    if (known !== undefined) return known;
    const units = (this.unitsUsed?.(budget, this.redeemable) ?? 0) + (this.spent.get(name) ?? 0);
    this.counted.set(name, units);
    return units;
  }

  count(named: NamedBudget, units: number): void {
    this.counted.set(named.name, this.of(named) + units);
  }
}

/** A budget that units count for, and how many units the definition allows it altogether. */
export interface CountedBudget extends NamedBudget {
  readonly allowed: number;
}

/** What the limits leave of a line's units, and the budgets that these count for. */
export interface TakenUnits {
  readonly units: number;
  readonly budgets: readonly CountedBudget[] | undefined;
}

const nothingTaken: TakenUnits = { units: 0, budgets: undefined };

/** The limits of units that one definition sets, during one step. Lines consume them in the order in which they ask. */
export class UnitLimits {
  private readonly perLine: number;
  private left: number;
  private readonly budgetKinds: readonly BudgetKind[];
  /** By position of their kind, the budgets that are the same for every line. */
  private readonly common: (NamedBudget | undefined)[] = [];
  /** By position of their kind, the budgets of each product of a collection. */
  private readonly ofProducts: (Map<string, NamedBudget> | undefined)[] = [];
  /** All of them, where none differs from line to line. */
  private ofEveryLine: readonly NamedBudget[] | undefined;
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
  take({ identity }: LineState, index: number, wanted: number): TakenUnits {
    let units = Math.min(wanted, this.perLine, this.left);
    if (units === 0) return nothingTaken;
    if (this.budgetKinds.length === 0) {
      this.left -= units;
      return { units, budgets: undefined };
    }
    const named = this.budgetsOf(identity);
    const budgets = this.budgetKinds.map(({ limit, formula }, position): CountedBudget => {
      const allowed = this.formulas.units(this.definition[formula], index) ?? limitOf(this.definition[limit]);
      return { ...named[position]!, allowed };
    });
    for (const budget of budgets) units = Math.min(units, budget.allowed - this.counters.of(budget));
    if (units <= 0) return nothingTaken;
    this.left -= units;
    for (const budget of budgets) this.counters.count(budget, units);
    return { units, budgets };
  }

  private budgetsOf(identity: LineIdentity): readonly NamedBudget[] {
    if (this.ofEveryLine) return this.ofEveryLine;
    const budgets = this.budgetKinds.map((kind, position) => this.budgetOf(kind, position, identity));
    if (budgets.every((budget, position) => budget === this.common[position])) this.ofEveryLine = budgets;
    return budgets;
  }

  private budgetOf(kind: BudgetKind, position: number, identity: LineIdentity): NamedBudget {
    const common = this.common[position];
    if (common) return common;
    const product = kind.isPerProduct && this.definition.id !== undefined ? productOf(identity) : null;
    const ofProduct = product === null ? undefined : this.ofProducts[position]?.get(product);
    if (ofProduct) return ofProduct;
    const budget = counterOf(identity, this.definition, kind, this.redeemable);
    const named = { budget, name: unitBudgetName(budget) };
    if (product !== null) (this.ofProducts[position] ??= new Map()).set(product, named);
    else if (this.definition.id !== undefined) this.common[position] = named;
    return named;
  }
}
