import {
  type Redeemable,
  type lineMatches,
  definitionsOf,
  effectNameOf,
  unitTypesOf,
} from '@scrip/order-calculation';
import {
  type CompiledRule,
  type NecessaryTerm,
  type RuleMode,
  leastInitialAmount,
  namedItems,
  necessaryTerms,
  staticScope,
} from '@scrip/rules';
import { amountTerm, anyRequest, itemTerms, segmentTerm, unitTerms } from './terms';

type ItemReference = Parameters<typeof lineMatches>[1];

/** What a candidate is looked up by. QUALIFY: what its rules demand at least; AUDIENCE: what those on the customer do;
 *  DISCOUNTED: the items that it acts on; NAMED: these, and the items that its rules name. */
export type TermSpace = 'QUALIFY' | 'AUDIENCE' | 'DISCOUNTED' | 'NAMED';

/** Of each space the terms of which a request must have one; none: no request is enough. */
export type CandidateTerms = Readonly<Record<TermSpace, readonly string[]>>;

/** A candidate whose list would be longer is looked at by every request. */
const termsMax = 100;

const everyRequest: readonly string[] = [anyRequest];

const bounded = (terms: readonly string[]): readonly string[] => {
  const distinct = [...new Set(terms)];
  return distinct.includes(anyRequest) || distinct.length > termsMax ? everyRequest : distinct;
};

/** How many requests have a term, roughly. */
const weights = { sku: 1, product: 1, products_collection: 4, segment: 4 } as const;
const amountWeight = 40;
const anyWeight = 1_000;

interface Alternative {
  readonly terms: readonly string[];
  readonly weight: number;
}

const alternativeOf = (clause: readonly NecessaryTerm[]): Alternative => ({
  terms: bounded(
    clause.flatMap((term) => (term.object === 'segment' ? [segmentTerm(term.id)] : itemTerms(term))),
  ),
  weight: clause.reduce((sum, { object }) => sum + weights[object], 0),
});

/** Every list is demanded; the one that the fewest requests meet finds the candidate. */
const rarest = (alternatives: readonly Alternative[]): readonly string[] =>
  alternatives
    .filter(({ terms }) => terms !== everyRequest)
    .reduce((best, one) => (one.weight < best.weight ? one : best), {
      terms: everyRequest,
      weight: anyWeight,
    }).terms;

const demandedBy = (rules: readonly CompiledRule[], mode: RuleMode): Alternative[] =>
  rules.flatMap((rule) => {
    const amount = leastInitialAmount(rule, mode);
    return [
      ...necessaryTerms(rule, mode).map(alternativeOf),
      ...(amount >= 1 ? [{ terms: [amountTerm(amount)], weight: amountWeight }] : []),
    ];
  });

const anyOf = (items: readonly ItemReference[]): readonly string[] => bounded(items.flatMap(itemTerms));

/** The items that an incentive acts on by itself. Source: reference 02 §8. */
const discounted = ({ incentive }: Pick<Redeemable, 'incentive'>, rules: readonly CompiledRule[]) => {
  if (!incentive || 'reward' in incentive) return [];
  const scope = staticScope(rules);
  if (!scope) return everyRequest;
  const covered = (): readonly string[] => {
    const items = definitionsOf(scope);
    return items.length === 0 ? everyRequest : anyOf(items);
  };
  if ('gift' in incentive) return incentive.gift.effect === 'APPLY_TO_ITEMS' ? covered() : [];
  const { discount } = incentive;
  const effect = effectNameOf(discount, scope);
  if (effect === 'APPLY_TO_ORDER') return [];
  if (effect === 'REPLACE_ITEMS') return anyOf(scope.included);
  return discount.type === 'UNIT' ? bounded(unitTypesOf(discount).flatMap(unitTerms)) : covered();
};

/** Returns what a request needs at least for the candidate to qualify. A request that has it may still fail it; one that lacks it
 *  never qualifies. `rules`: of it and of its campaign. Source: reference 02 §8, §10. */
export const candidateTerms = (
  redeemable: Pick<Redeemable, 'incentive'>,
  rules: readonly CompiledRule[],
): CandidateTerms => {
  const discountedItems = discounted(redeemable, rules);
  const named = rules.map(namedItems);
  return {
    QUALIFY: rarest(demandedBy(rules, 'QUALIFY')),
    AUDIENCE: rarest(demandedBy(rules, 'AUDIENCE')),
    DISCOUNTED: discountedItems,
    NAMED: named.includes(null)
      ? everyRequest
      : bounded([...discountedItems, ...anyOf(named.flatMap((items) => items ?? []))]),
  };
};
