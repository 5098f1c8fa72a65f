import type { CountedBudget } from './unit-limits';

/** What a discount of items may touch of one line. Source: reference 01 §6. */
export interface CoveredLine {
  /** Position among the order's lines. */
  readonly index: number;
  /** Eligible units after application rules, unit limits and budgets: 1 … the line's paid units. */
  readonly units: number;
  /** Position of its definition in `scope.included`; null where it is covered without one. */
  readonly definition: number | null;
  /** New unit price of its definition in minor units; null: the discount's own. */
  readonly newPrice: number | null;
  /** Most that may come off the line, minor units; null: no limit. */
  readonly amountLimit: number | null;
  /** Whether units were chosen or limited one by one, so that the line reports how many were discounted. */
  readonly countsUnits: boolean;
  /** The budgets that its discounted units count for; absent: none. */
  readonly budgets?: readonly CountedBudget[] | undefined;
}

/** Units of a line that an application rule covers, before any limit: `count` of them, the `first` and then every
 *  `step`-th. Units are numbered from 1 within the line, its paid units only. */
export interface CoveredUnits {
  readonly index: number;
  readonly first: number;
  readonly step: number;
  readonly count: number;
}

/** What one definition found in the order, before any limit. */
export interface DefinitionMatch {
  /** Positions of the lines that belong to it, in request order. */
  readonly matched: readonly number[];
  /** What its application rule covers of them, in application sequence. */
  readonly covered: readonly CoveredUnits[];
}

/** What a discount of items may touch of an order. */
export interface Coverage {
  /** In processing order: definition by definition, each in its sequence. */
  readonly lines: readonly CoveredLine[];
  /** Per definition the most that may come off all its lines, minor units; null: no limit. */
  readonly aggregatedAmountLimits: readonly (number | null)[];
  /** Per definition of `definitionsOf(scope)` what it found, so none where nothing is included; absent: not looked
   *  up. */
  readonly matches?: readonly DefinitionMatch[];
}

/** Nothing: where there is no order to look at, or nothing that asks for its items. */
export const emptyCoverage: Coverage = { lines: [], aggregatedAmountLimits: [] };
