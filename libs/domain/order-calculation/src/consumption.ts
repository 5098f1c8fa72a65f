import type { OrderState } from './order/order-state';
import type { Coverage } from './scoping/coverage';
import type { UnitBudget } from './scoping/unit-budget';
import type { CountedBudget } from './scoping/unit-limits';

/** What a redemption must book besides uses of the redeemables. `credits`: minor units per gift card; `points` per
 *  loyalty card; `units`: discounted units per budget counter. Source: reference 01 §1. */
export interface Consumption {
  credits: { id: string; credits: number }[];
  points: { id: string; points: number }[];
  units: ConsumedUnits[];
}

/** Units that a request counts for a budget. `usedAtMost`: how many the budget may have counted before it, for all of them
 *  to be allowed. */
export interface ConsumedUnits {
  budget: UnitBudget;
  units: number;
  usedAtMost: number;
}

/** Collects what a request consumes, redeemable by redeemable. */
export class ConsumptionLedger {
  private readonly credits: Consumption['credits'] = [];
  private readonly points: Consumption['points'] = [];
  private readonly consumed = new Map<string, Omit<ConsumedUnits, 'units'>>();
  /** Units per budget counted in this request so far. */
  readonly spentUnits = new Map<string, number>();

  bookCredits(id: string, credits: number): void {
    if (credits > 0) this.credits.push({ id, credits });
  }

  bookPoints(id: string, points: number): void {
    if (points > 0) this.points.push({ id, points });
  }

  /** Counts the covered units of every line that the step discounted. */
  bookUnits({ lines }: Coverage, before: OrderState, after: OrderState): void {
    // Lines of a definition mostly share their budgets, and those of one definition follow those of another.
    const counted = new Map<CountedBudget, number>();
    for (const { index, units, budgets } of lines) {
      if (!budgets || before.lines[index] === after.lines[index]) continue;
      for (const budget of budgets) counted.set(budget, (counted.get(budget) ?? 0) + units);
    }
    for (const [{ budget, name, allowed }, units] of counted) {
      const spent = (this.spentUnits.get(name) ?? 0) + units;
      const usedAtMost = Math.min(this.consumed.get(name)?.usedAtMost ?? Infinity, allowed - spent);
      this.spentUnits.set(name, spent);
      this.consumed.set(name, { budget, usedAtMost });
    }
  }

  total(): Consumption {
    const units = [...this.consumed].map(([name, { budget, usedAtMost }]) => ({
      budget,
      units: this.spentUnits.get(name) ?? 0,
      usedAtMost,
    }));
    return { credits: this.credits, points: this.points, units };
  }
}
