import type { CalculationContext } from '../calculation-context';
import type { LineIdentity } from '../catalogue/line-identity';
import type { LineState } from '../order/order-state';
import type { Redeemable } from '../redeemable';
import { type BudgetKind, budgetKindsOf, counterOf } from './budgets';
import type { DefinitionFormulas } from './definition-formulas';
import type { ScopedItem } from './item-scope';
import { type NamedBudget, unitBudgetName } from './unit-budget';

/** A limit as definitions set it; absent: no limit. */
const limitOf = (set: number | undefined): number =>
  set === undefined ? Infinity : Math.max(0, Math.floor(set));

/** Units that a budget has counted, a step's own included. */
interface BudgetCounter {
  units: number;
}

/** The counters of a step, one for each name of a budget. */
export class BudgetCounters {
  private readonly counters = new Map<string, BudgetCounter>();

  /** `spent`: units counted earlier in the request, by name of the budget. */
  constructor(
    private readonly redeemable: Redeemable,
    private readonly unitsUsed: CalculationContext['unitsUsed'],
    private readonly spent: ReadonlyMap<string, number>,
  ) {}

  of({ budget, name }: NamedBudget): BudgetCounter {
    const known = this.counters.get(name);
    if (known) return known;
    const units = (this.unitsUsed?.(budget, this.redeemable) ?? 0) + (this.spent.get(name) ?? 0);
    const counter = { units };
    this.counters.set(name, counter);
    return counter;
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

/** Budgets of a line, each with its counter at the same position. */
interface LineBudgets {
  readonly budgets: readonly CountedBudget[];
  readonly counters: readonly BudgetCounter[];
}

/** The limits of units that one definition sets, during one step. Lines consume them in the order in which they ask. */
export class UnitLimits {
  private readonly perLine: number;
  private left: number;
  private readonly budgetKinds: readonly BudgetKind[];
  /** Whether lines of one product have the same budgets: no formula says what they allow, and their item has an id. */
  private readonly areFixed: boolean;
  private readonly arePerProduct: boolean;
  private ofEveryLine: LineBudgets | undefined;
  private readonly ofProducts = new Map<string, LineBudgets>();
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
    this.areFixed =
      definition.id !== undefined &&
      this.budgetKinds.every(({ formula }) => definition[formula] === undefined);
    this.arePerProduct = this.budgetKinds.some(({ isPerProduct }) => isPerProduct);
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
    const { budgets, counters } = this.budgetsOf(identity, index);
    for (let position = 0; position < budgets.length; position += 1)
      units = Math.min(units, budgets[position]!.allowed - counters[position]!.units);
    if (units <= 0) return nothingTaken;
    this.left -= units;
    for (const counter of counters) counter.units += units;
    return { units, budgets };
  }

  private budgetsOf(identity: LineIdentity, index: number): LineBudgets {
    if (!this.areFixed) return this.budgetsFor(identity, index);
    if (!this.arePerProduct) return (this.ofEveryLine ??= this.budgetsFor(identity, index));
    const product = identity.productId ?? identity.productSourceId;
    if (product === undefined) return this.budgetsFor(identity, index);
    let known = this.ofProducts.get(product);
    if (!known) this.ofProducts.set(product, (known = this.budgetsFor(identity, index)));
    return known;
  }

  private budgetsFor(identity: LineIdentity, index: number): LineBudgets {
    const budgets = this.budgetKinds.map((kind): CountedBudget => {
      const budget = counterOf(identity, this.definition, kind, this.redeemable);
      const allowed =
        this.formulas.units(this.definition[kind.formula], index) ?? limitOf(this.definition[kind.limit]);
      return { budget, name: unitBudgetName(budget), allowed };
    });
    return { budgets, counters: budgets.map((budget) => this.counters.of(budget)) };
  }
}
