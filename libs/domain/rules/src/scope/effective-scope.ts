import { type ItemScope, type OrderState, lineMatches } from '@scrip/order-calculation';
import type { Line } from '../catalogue/rule-entry';
import type { CompiledGroup } from '../compile/compile-group';
import type { CompiledRule } from '../compile/compile-rule';
import { leavesIn } from '../compile/rule-traits';
import type { Moment } from '../conditions/conditions';
import type { RuleContext } from '../evaluation/rule-context';
import { lineContext } from './line-context';

type ItemReference = Parameters<typeof lineMatches>[1];

/** Every line is in it. Source: reference 01 §6. */
const allProducts: ItemReference = { object: 'products_collection', id: 'pc_a11pr0dUc75' };

const noLines: readonly Line[] = [];

/** The line's item and nothing else, undefined for a line without a name. */
const itemOf = ({ identity }: Line): ItemReference | undefined => {
  const { skuId, skuSourceId, productId, productSourceId } = identity;
  if (skuId !== undefined) return { object: 'sku', id: skuId };
  if (skuSourceId !== undefined) return { object: 'sku', source_id: skuSourceId };
  if (productId !== undefined) return { object: 'product', id: productId, strict: true };
  if (productSourceId !== undefined) return { object: 'product', source_id: productSourceId, strict: true };
  return undefined;
};

/** Lines that the legacy `…discount_applicable` rules of a group bring into the scope. */
const joiningLines = (
  group: CompiledGroup,
  context: RuleContext,
  matched: readonly Line[],
): readonly Line[] =>
  group.leaves.flatMap(({ entry, own, group: below }) => {
    if (entry.joinsScope) return own.holds(context, matched) ? matched : noLines;
    return below ? joiningLines(below, context, own.find ? own.find(context) : matched) : noLines;
  });

const joinsScope = ({ root }: CompiledRule): boolean =>
  [...leavesIn(root)].some(({ entry }) => entry.joinsScope);

/** What the discount of an incentive with these effective rules may touch: the union of their `applicable_to`, and the
 *  lines of `order` that legacy `…discount_applicable` rules match. Where only such rules choose and match nothing,
 *  nothing is in scope. `at`: for conditions on dates. Source: reference 02 §1.3, §3.2, reference 01 §6. */
export const effectiveScope = (
  rules: readonly CompiledRule[],
  order: OrderState | null,
  at: Moment,
): ItemScope => {
  const scopes = rules.flatMap(({ scope }) => scope ?? []);
  const included = scopes.flatMap((scope) => scope.included);
  const excluded = scopes.flatMap((scope) => scope.excluded);
  const includedAll = scopes.some((scope) => scope.included_all);
  const joining = rules.filter(joinsScope);
  if (joining.length > 0) {
    const context = lineContext(order, at);
    for (const { root } of joining) {
      for (const line of joiningLines(root, context, noLines)) {
        const item = itemOf(line);
        if (
          item &&
          !included.some((entry) => entry.object === item.object && lineMatches(line.identity, entry))
        ) {
          included.push(item);
        }
      }
    }
    if (included.length === 0 && !includedAll) excluded.push(allProducts);
  }
  return { included, excluded, included_all: includedAll };
};

/** As `effectiveScope`, where no order changes it; null: lines of the order join it. Source: reference 02 §10. */
export const staticScope = (rules: readonly CompiledRule[]): ItemScope | null =>
  rules.some(joinsScope) ? null : effectiveScope(rules, null, { now: new Date(0), timezone: 'UTC' });
