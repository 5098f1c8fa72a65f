import type { CalculationContext } from '../calculation-context';
import { type LineState, type OrderState, paidUnitsOf } from '../order/order-state';
import type { Redeemable } from '../redeemable';
import { coveredUnits } from './application-rule';
import type { Coverage, CoveredLine, DefinitionMatch } from './coverage';
import { DefinitionFormulas } from './definition-formulas';
import { DefinitionIndex } from './definition-index';
import { type ItemScope, type ScopedItem, definitionsOf, everyProduct } from './item-scope';
import { BudgetCounters, UnitLimits } from './unit-limits';

/** At whose turn and within which limits items are looked for. `scope`: with the unit limits that hold, bundles
 *  counted in; `isClosed`: whether a line's product takes no further discounts of items; `spent`: units that budgets
 *  counted earlier in this request, by name of the budget. */
export interface CoverOptions {
  readonly scope: ItemScope;
  readonly bundleQuantity: number | undefined;
  readonly context: CalculationContext;
  readonly isClosed: (line: LineState) => boolean;
  readonly spent: ReadonlyMap<string, number>;
}

const isOpen = (line: LineState, { isClosed }: CoverOptions): boolean =>
  paidUnitsOf(line) > 0 && !isClosed(line);

const everyLine = (order: OrderState, options: CoverOptions): Coverage => {
  const lines: CoveredLine[] = [];
  for (const [index, line] of order.lines.entries()) {
    if (!isOpen(line, options)) continue;
    lines.push({
      index,
      units: paidUnitsOf(line),
      definition: null,
      newPrice: null,
      amountLimit: null,
      countsUnits: false,
      budgets: undefined,
    });
  }
  return { lines, aggregatedAmountLimits: [] };
};

/** Positions of the open lines that belong to each definition and to nothing excluded. */
const matchedLines = (
  order: OrderState,
  definitions: readonly ScopedItem[],
  options: CoverOptions,
): number[][] => {
  const included = new DefinitionIndex(definitions);
  const excluded = new DefinitionIndex(options.scope.excluded);
  const matched = definitions.map((): number[] => []);
  order.lines.forEach((line, index) => {
    if (!isOpen(line, options) || excluded.mostSpecific(line.identity) !== null) return;
    const definition = included.mostSpecific(line.identity);
    if (definition !== null) matched[definition]!.push(index);
  });
  return matched;
};

const amountLimitOf = (set: number | undefined): number | null =>
  set === undefined ? null : Math.max(0, Math.floor(set));

const newPriceOf = (
  { price, price_formula }: ScopedItem,
  index: number,
  formulas: DefinitionFormulas,
): number | null =>
  formulas.amount(price_formula, index) ?? (price === undefined ? null : Math.max(0, Math.round(price)));

/** Which units of which lines a discount of items may touch, in processing order: definition by definition in list
 *  order, each line with the most specific definition that matches it. Free units, excluded lines and lines of closed
 *  products take no part, not even in the numbering of application rules. Budgets hold what other requests and earlier
 *  redeemables left; covered units count for them line by line. Changes nothing, refuses nothing.
 *  Source: reference 01 §6. */
export const cover = (order: OrderState, redeemable: Redeemable, options: CoverOptions): Coverage => {
  const { scope, bundleQuantity, context, spent } = options;
  const named = definitionsOf(scope);
  if (named.length === 0 && scope.excluded.length === 0) return everyLine(order, options);

  const definitions = named.length === 0 ? [everyProduct] : named;
  const formulas = new DefinitionFormulas(order, redeemable, bundleQuantity, context);
  const counters = new BudgetCounters(redeemable, context.unitsUsed, spent);
  const lines: CoveredLine[] = [];
  const matches: DefinitionMatch[] = [];
  for (const [position, matched] of matchedLines(order, definitions, options).entries()) {
    const definition = definitions[position]!;
    const covered = coveredUnits(order.lines, matched, definition);
    matches.push({ matched, covered });
    const limits = new UnitLimits(definition, redeemable, context, formulas, counters);
    const countsUnits = definition.target === 'UNIT' || limits.areSet;
    const amountLimit = amountLimitOf(definition.amount_limit);
    for (const { index, count } of covered) {
      const { units, budgets } = limits.take(order.lines[index]!, index, count);
      if (units === 0) continue;
      lines.push({
        index,
        units,
        definition: position < scope.included.length ? position : null,
        newPrice: newPriceOf(definition, index, formulas),
        amountLimit,
        countsUnits,
        budgets,
      });
    }
  }
  return {
    lines,
    aggregatedAmountLimits: scope.included.map((item) => amountLimitOf(item.aggregated_amount_limit)),
    matches: matches.slice(0, named.length),
  };
};
