import {
  type BundleResult,
  type CalculatedOrder,
  type CalculatedRedeemable,
  type Discount,
  type RedeemableResult,
  matchBundle,
} from '@scrip/order-calculation';
import { type RuleMode, type RuleOutcome, bundlesOf, isBundleWaived } from '@scrip/rules';
import { asRedeemable, evaluateRequest } from '../evaluation/evaluate-request';
import type { Candidate, CandidateStack, EvaluationRequest } from '../request/evaluation-request';
import { concernsLines } from './product-filter';
import type { Judgement } from './scenario';

/** A candidate of a qualification. `card`: the points of a loyalty card, for which no reward is named here: `points` it
 *  ever got, `balance` left of them, `locked` by sessions of others. */
export interface QualifyingCandidate extends Candidate {
  readonly card?: { readonly points: number; readonly balance: number; readonly locked?: number };
}

/** What is shown of a redeemable that qualifies. */
export type QualifiedResult = Omit<RedeemableResult, 'loyalty_card'> & {
  readonly loyalty_card?: { readonly points: number; readonly balance: number };
};

type Applicable = Extract<CalculatedRedeemable, { status: 'APPLICABLE' }>;
type Views = Pick<Applicable, 'order' | 'applicable_to' | 'inapplicable_to'>;

/** A redeemable that qualifies, calculated as if it alone were applied. What is read-only of an applicable redeemable is
 *  made when it is first read, here too. Source: reference 02 §8. */
export interface Qualified extends Views {
  readonly candidate: QualifyingCandidate;
  /** Its rules, with what was left out of them. Source: reference 02 §4.5. */
  readonly rules: readonly RuleOutcome[];
  readonly result: QualifiedResult;
}

/** A stack that qualifies: its applicable tiers in stack order, amounts accumulating. */
export interface QualifiedStack {
  readonly stack: CandidateStack;
  readonly redeemables: readonly Qualified[];
  readonly order: CalculatedOrder | null;
}

/** A request for candidates: each is judged by itself. */
export type QualificationRequest = Omit<EvaluationRequest, 'requested'>;

const noOrder = { lines: [] };

/** What leaves every order as it is, so that scope lists and order are those of the request. */
const nothingOff: Discount = { type: 'AMOUNT', amount_off: 0, effect: 'APPLY_TO_ORDER' };

/** What a gift card lacks of a request: it qualifies with its balance, and spends nothing. */
const missingContext: ReadonlySet<string> = new Set([
  'missing_order',
  'missing_amount',
  'missing_order_items',
  'missing_order_items_amount',
]);

const outcomesOf = ({ rules }: Candidate, mode: RuleMode): RuleOutcome[] =>
  rules.map(({ id, omittedKeys }) => {
    const omitted = omittedKeys[mode];
    return { id, status: omitted.length > 0 ? 'PARTIALLY_VALID' : 'VALID', omitted };
  });

const qualified = (
  candidate: QualifyingCandidate,
  outcome: Views,
  rules: readonly RuleOutcome[],
  result: QualifiedResult,
): Qualified => ({
  candidate,
  rules,
  result,
  get order() {
    return outcome.order;
  },
  get applicable_to() {
    return outcome.applicable_to;
  },
  get inapplicable_to() {
    return outcome.inapplicable_to;
  },
});

const withoutPoints = ({ result: { loyalty_card: _, ...result } }: Applicable): QualifiedResult => result;

/** What of a bundle is in the order, where the mode waives it: reported, met or not. */
const waivedBundle = (
  { rules, label }: Candidate,
  { order, messages }: QualificationRequest,
  mode: RuleMode,
): BundleResult | null => {
  const bundle = isBundleWaived(mode) ? bundlesOf(rules, { label, messages }) : undefined;
  return bundle ? matchBundle(order ?? noOrder, bundle) : null;
};

const outcomeOf = (
  candidate: Candidate,
  request: QualificationRequest,
  mode: RuleMode,
): CalculatedRedeemable => evaluateRequest({ ...request, requested: [candidate] }, mode).redeemables[0]!;

const applicable = (outcome: CalculatedRedeemable): Applicable | null =>
  outcome.status === 'APPLICABLE' ? outcome : null;

const leavingTheOrder = (candidate: QualifyingCandidate): QualifyingCandidate => ({
  ...candidate,
  redeemable: { ...candidate.redeemable, incentive: { discount: nothingOff } },
});

/** A card pays for nothing here, so that no rule about effects passes it over. */
const qualifyCard = (
  candidate: QualifyingCandidate,
  { points, balance, locked = 0 }: NonNullable<QualifyingCandidate['card']>,
  request: QualificationRequest,
  mode: RuleMode,
): Qualified | null => {
  const { redeemable, ...others } = leavingTheOrder(candidate);
  const { categories: _, ...alone } = redeemable;
  const settings = { ...request.settings, redeemables_no_effect_rule: 'REDEEM_ANYWAY' } as const;
  const outcome = applicable(outcomeOf({ ...others, redeemable: alone }, { ...request, settings }, mode));
  const card = { points, balance: Math.max(0, balance - locked) };
  return outcome && qualified(candidate, outcome, outcomesOf(candidate, mode), { loyalty_card: card });
};

const qualifyEffect = (
  candidate: QualifyingCandidate,
  request: QualificationRequest,
  mode: RuleMode,
): Qualified | null => {
  const outcome = outcomeOf(candidate, request, mode);
  if (outcome.status === 'APPLICABLE') {
    return qualified(candidate, outcome, outcomesOf(candidate, mode), withoutPoints(outcome));
  }
  const { incentive } = candidate.redeemable;
  if (outcome.status === 'SKIPPED' || !incentive || !('gift' in incentive)) return null;
  if (!missingContext.has(outcome.refusal.refused)) return null;
  const alone = applicable(outcomeOf(leavingTheOrder(candidate), request, mode));
  const gift = { balance: incentive.gift.balance, credits: 0 };
  return alone && qualified(candidate, alone, outcomesOf(candidate, mode), { gift });
};

const reporting = (found: Qualified, bundle: BundleResult): Qualified =>
  qualified(found.candidate, found, found.rules, { ...found.result, bundle });

/** Judges a candidate by itself on the untouched order; null: it does not qualify. A bundle that the scenario waives
 *  multiplies the discount where it is met, and is reported in any case. Source: reference 02 §8. */
export const qualify = (
  candidate: QualifyingCandidate,
  request: QualificationRequest,
  { mode, products }: Judgement,
): Qualified | null => {
  const { order, context } = request;
  const { rules, card } = candidate;
  if (products) {
    const redeemable = asRedeemable(candidate, request, mode);
    if (!concernsLines(order, { redeemable, rules }, products, context)) return null;
  }
  const found = card ? qualifyCard(candidate, card, request, mode) : qualifyEffect(candidate, request, mode);
  const bundle = found && waivedBundle(candidate, request, mode);
  if (!found || !bundle) return found;
  return reporting(found, bundle);
};

/** Judges a stack: its tiers one after another, amounts accumulating. In mode ALL every tier must qualify, in mode
 *  PARTIAL at least one; null: it does not. Source: reference 02 §8. */
export const qualifyStack = (
  stack: CandidateStack,
  request: QualificationRequest,
  { mode }: Pick<Judgement, 'mode'>,
): QualifiedStack | null => {
  const { valid, redeemables, order } = evaluateRequest({ ...request, requested: [stack] }, mode);
  if (!valid) return null;
  const tiers = new Map(stack.tiers.map((tier) => [tier.redeemable.id, tier]));
  return {
    stack,
    order,
    redeemables: redeemables.flatMap((outcome) => {
      if (outcome.status !== 'APPLICABLE') return [];
      const tier = tiers.get(outcome.id)!;
      return [qualified(tier, outcome, outcomesOf(tier, mode), withoutPoints(outcome))];
    }),
  };
};
