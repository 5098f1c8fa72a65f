import type { UnitBudgetLimit } from './item-scope';

/** One counter of discounted units over time. `owner`: the campaign (a voucher without one stands for itself) or the
 *  tier; `item`: what is counted, `object:id`, within a collection `products_collection:id/product:id`.
 *  Source: reference 01 §6. */
export interface UnitBudget {
  readonly limit: UnitBudgetLimit;
  readonly owner: string;
  readonly item: string;
}

/** Budgets with equal names are one counter. */
export const unitBudgetName = ({ limit, owner, item }: UnitBudget): string => `${limit} ${owner} ${item}`;

/** A budget with its name, made once. */
export interface NamedBudget {
  readonly budget: UnitBudget;
  readonly name: string;
}
