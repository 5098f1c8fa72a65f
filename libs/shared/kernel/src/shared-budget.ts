/** How much of a bounded resource may be held at one time: by all together, and by one holder. */
export interface BudgetSizes {
  total: number;
  perHolder: number;
}

/** Returns the sizes of a resource of which one holder takes at most half. */
export const halfForEach = (total: number): BudgetSizes => ({ total, perHolder: Math.ceil(total / 2) });

/** Counts what is held of a bounded resource, so that one holder (a project) leaves room for the others. */
export class SharedBudget {
  private all = 0;
  private readonly byHolder = new Map<string, number>();

  constructor(private readonly sizes: BudgetSizes) {}

  /** What all hold together. */
  get held(): number {
    return this.all;
  }

  /** What one holder holds. */
  heldBy(holder: string): number {
    return this.byHolder.get(holder) ?? 0;
  }

  /** Takes an amount and returns what gives it back, however often that is called; null where there is no room. A holder
   *  that is not known yet (null) is bounded by the total alone. */
  take(holder: string | null, amount = 1): (() => void) | null {
    if (this.all + amount > this.sizes.total) return null;
    if (holder !== null && this.heldBy(holder) + amount > this.sizes.perHolder) return null;
    return this.hold(holder, amount);
  }

  /** Whether a holder finds no room at all; one that is not known (null), by the total alone. */
  isFull(holder: string | null): boolean {
    return this.all >= this.sizes.total || (holder !== null && this.heldBy(holder) >= this.sizes.perHolder);
  }

  /** The same as `take`, also where there is no room: for what is there already. */
  hold(holder: string | null, amount: number): () => void {
    if (holder !== null) this.byHolder.set(holder, this.heldBy(holder) + amount);
    this.all += amount;
    let isHeld = true;
    return () => {
      if (isHeld) this.giveBack(holder, amount);
      isHeld = false;
    };
  }

  private giveBack(holder: string | null, amount: number): void {
    this.all -= amount;
    if (holder === null) return;
    const left = this.heldBy(holder) - amount;
    if (left > 0) this.byHolder.set(holder, left);
    else this.byHolder.delete(holder);
  }
}
