import type { CalculationContext } from '../calculation-context';
import { emptyCatalogue } from '../catalogue/catalogue';
import type { LineIdentity } from '../catalogue/line-identity';
import type { Discount } from '../discount';
import type { OrderState } from '../order/order-state';
import type { Redeemable } from '../redeemable';
import { emptyLineOf, unitItemOf } from '../units/unit-item';
import { budgetKindsOf, countersOf } from './budgets';
import { DefinitionIndex } from './definition-index';
import { wholeOrder } from './item-scope';
import { type UnitBudget, unitBudgetName } from './unit-budget';

/** The products, SKUs and collections that a discount gives units of, by the names it uses: each may be an id or a
 *  source id. Source: reference 01 §7. */
export const unitTypesOf = (discount: Discount): readonly string[] =>
  discount.type === 'UNIT'
    ? [discount.unit_type, ...(discount.units ?? []).map(({ unit_type }) => unit_type)].filter(
        (unitType) => unitType !== undefined,
      )
    : [];

const unitTypesIn = ({ incentive }: Redeemable): readonly string[] =>
  incentive && 'discount' in incentive ? unitTypesOf(incentive.discount) : [];

const nowhere: OrderState = { amount: undefined, initialAmount: undefined, discountAmount: 0, lines: [] };

/** What lines may sell by the end of a request: what they sell now, and what its redeemables give units of. */
const itemsWithin = (
  order: OrderState | null,
  redeemables: readonly Redeemable[],
  { catalogue = emptyCatalogue }: Pick<CalculationContext, 'catalogue'>,
): LineIdentity[] => [
  ...(order?.lines ?? []).map(({ identity }) => identity),
  ...[...new Set(redeemables.flatMap(unitTypesIn))].map(
    (unitType) => emptyLineOf(unitItemOf(unitType, order ?? nowhere, catalogue)).identity,
  ),
];

/** Whether the units are counted for each customer alone. */
export const isPerCustomer = ({ limit }: Pick<UnitBudget, 'limit'>): boolean => limit.includes('_customer_');

/** The unit budgets that a request may read or count for, in whatever order its redeemables apply; each once. A few may
 *  stay untouched, because a redeemable does not apply or a product is closed. Source: reference 01 §6. */
export const touchedBudgets = (
  order: OrderState | null,
  redeemables: readonly Redeemable[],
  context: Pick<CalculationContext, 'catalogue' | 'hasCustomer'>,
): UnitBudget[] => {
  const touched = new Map<string, UnitBudget>();
  const items = itemsWithin(order, redeemables, context);
  for (const redeemable of redeemables) {
    const { included, excluded } = redeemable.scope ?? wholeOrder;
    const kinds = included.map((definition) => budgetKindsOf(definition, redeemable, context));
    if (kinds.every(({ length }) => length === 0)) continue;
    const definitions = new DefinitionIndex(included);
    const leftOut = new DefinitionIndex(excluded);
    for (const identity of items) {
      const position = leftOut.mostSpecific(identity) === null ? definitions.mostSpecific(identity) : null;
      if (position === null) continue;
      for (const budget of countersOf(identity, included[position]!, kinds[position]!, redeemable)) {
        touched.set(unitBudgetName(budget), budget);
      }
    }
  }
  return [...touched.values()];
};
