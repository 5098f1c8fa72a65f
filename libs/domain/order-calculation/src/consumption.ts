import type { OrderState } from './order/order-state';
import type { Redeemable } from './redeemable';
import { budgetsOf } from './scoping/budgets';
import type { Coverage } from './scoping/coverage';
import type { ItemScope } from './scoping/item-scope';
import { type UnitBudget, unitBudgetName } from './scoping/unit-budget';
import type { CalculationContext } from './calculation-context';

/** What a redemption must book besides uses of the redeemables. `credits`: minor units per gift card; `points` per
 *  loyalty card; `units`: discounted units per budget counter. Source: reference 01 §1. */
export interface Consumption {
  credits: { id: string; credits: number }[];
  points: { id: string; points: number }[];
  units: { budget: UnitBudget; units: number }[];
}

/** Collects what a request consumes, redeemable by redeemable. */
export class ConsumptionLedger {
  private readonly credits: Consumption['credits'] = [];
  private readonly points: Consumption['points'] = [];
  private readonly budgets = new Map<string, UnitBudget>();
  /** Units per budget counted in this request so far. */
  readonly spentUnits = new Map<string, number>();

  bookCredits(id: string, credits: number): void {
    if (credits > 0) this.credits.push({ id, credits });
  }

  bookPoints(id: string, points: number): void {
    if (points > 0) this.points.push({ id, points });
  }

  /** Counts the covered units of every line that the step discounted. */
  bookUnits(
    redeemable: Redeemable,
    {
      scope,
      coverage,
      before,
      after,
    }: { scope: ItemScope; coverage: Coverage; before: OrderState; after: OrderState },
    context: CalculationContext,
  ): void {
    for (const { index, units, definition } of coverage.lines) {
      const line = before.lines[index]!;
      if (definition === null || line === after.lines[index]) continue;
      for (const budget of budgetsOf(line, scope, definition, redeemable, context)) {
        const name = unitBudgetName(budget);
        this.budgets.set(name, budget);
        this.spentUnits.set(name, (this.spentUnits.get(name) ?? 0) + units);
      }
    }
  }

  total(): Consumption {
    const units = [...this.budgets].map(([name, budget]) => ({
      budget,
      units: this.spentUnits.get(name) ?? 0,
    }));
    return { credits: this.credits, points: this.points, units };
  }
}
