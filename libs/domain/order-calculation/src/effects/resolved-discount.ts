import type { Discount } from '../discount';

/** A discount whose formulas are settled. Source: reference 01 §8, §9. */
export interface ResolvedDiscount<D extends Discount = Discount> {
  /** As answers show it: plain fields hold what the formula gave, per bundle; `is_dynamic` says whether it did. */
  readonly discount: D;
  /** The value for one line by its position, where the formula gave different ones: minor units, a percentage as
   *  decimal text, or units. Null: the plain field holds for all. */
  readonly valueByLine: ReadonlyMap<number, number | string> | null;
  /** Exact percentage as decimal text where the plain field rounds it; null otherwise. */
  readonly exactPercent: string | null;
  /** How many bundles multiply the value; 1 without bundles. */
  readonly times: number;
}
