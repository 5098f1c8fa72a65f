import { isRefused, notFound } from '@scrip/kernel';
import {
  type CalculatedOrder,
  type CalculatedRedeemable,
  Catalogue,
  type OrderDifference,
  type OrderState,
  type StackingSettings,
} from '@scrip/order-calculation';
import {
  type Calculation,
  type Candidate as Evaluable,
  type CandidateStack,
  type EvaluationRequest,
  candidatesIn,
  evaluateRequest,
  redeemableKey,
} from '@scrip/order-preview';
import type { CompiledRule } from '@scrip/rules';
import type { OwnerRefusal } from '@scrip/contracts/claims';
import type { RequestCounts, UncountedRequest } from '../limits/request-counters';
import type { PromotionStackSnapshot } from '@scrip/contracts/promotions';
import type { QualificationRefusalKey, QualificationRefusal } from '../qualification.refusals';
import type { Conditions, Described, RedeemableKind } from '../participants/redeemable-kind';
import type { RedeemableRequest } from '../request/redeemables-request';

/** One thing that was asked for and what is known of it: what its owner's `load` returned, or why there is nothing.
 *  `kind` null: of a name that no owner knows. */
export interface Candidate {
  requested: RedeemableRequest;
  kind: RedeemableKind | null;
  found: unknown;
  /** Its own validation rules and its campaign's, in the order of assignment. */
  rules?: readonly CompiledRule[];
  /** `found` came with a refused claim: its counts are the owner's, so limits are checked here too. */
  factsOfRefusal?: boolean;
  /** The owner refused a claim that would be asked for again. */
  refusedByOwner?: QualificationRefusal;
}

/** A candidate after the evaluation; `described` null where nothing was found. `id`: the voucher's code, else what was
 *  sent. */
export interface EvaluatedRedeemable {
  id: string;
  object: 'voucher' | 'promotion_tier';
  candidate: Candidate;
  described: Described | null;
  calculated: CalculatedRedeemable<QualificationRefusalKey>;
}

/** `order`: after everything that applies; `difference`: what that did to it; null without an order in the request. `calculation`:
 *  what the recorder judges again. */
export interface Evaluation {
  valid: boolean;
  redeemables: EvaluatedRedeemable[];
  order: CalculatedOrder | null;
  difference: OrderDifference | null;
  calculation: Calculation;
}

/** The refusal of a name that no owner knows. Source: reference 03 §4.3 (check 1). */
export const unknownRedeemable = ({ object, id }: RedeemableRequest): QualificationRefusal =>
  notFound(object, id);

/** The kind that serves a candidate, and what was found; null where nothing was. */
const foundBy = ({ kind, found }: Candidate): { kind: RedeemableKind; facts: unknown } | null =>
  kind && !isRefused(found) ? { kind, facts: found } : null;

/** The redeemable as the calculation takes it, without what its rules say of items. */
const asRedeemable = (
  candidate: Candidate,
  described: Described | null,
  { usesAreClaimed }: Conditions,
): Evaluable['redeemable'] => {
  const { requested, factsOfRefusal = false } = candidate;
  const object = requested.object === 'voucher' ? 'voucher' : 'promotion_tier';
  const known = foundBy(candidate);
  if (!known) return { object, id: requested.id, incentive: null };
  const wanted = { credits: requested.gift?.credits, ownerDecides: usesAreClaimed && !factsOfRefusal };
  const campaignId = described?.campaignId ?? null;
  return {
    object,
    ...known.kind.calculable(known.facts, wanted),
    ...(campaignId === null ? {} : { campaignId }),
  };
};

const refusalOf = (candidate: Candidate, conditions: Conditions): QualificationRefusal | null => {
  const { requested, found, refusedByOwner, factsOfRefusal = false } = candidate;
  const known = foundBy(candidate);
  if (known) {
    const usesAreClaimed = conditions.usesAreClaimed && !factsOfRefusal;
    const unusable = known.kind.unusable(known.facts, { ...conditions, usesAreClaimed });
    return refusedByOwner ?? unusable;
  }
  return isRefused(found) && found.refused !== 'not_found'
    ? (found as OwnerRefusal)
    : unknownRedeemable(requested);
};

/** What rules, scopes, free units and formulas know of a request. */
export interface Knowledge
  extends
    Pick<EvaluationRequest, 'customer' | 'redemption' | 'orderMetadata' | 'messages'>,
    Pick<EvaluationRequest['context'], 'catalogue' | 'facts'> {}

/** A request that says and knows nothing but its redeemables and its order. */
export const nothingKnown: Knowledge = {
  customer: null,
  redemption: { metadata: {}, apiKeyId: null, userLogin: null },
  orderMetadata: {},
  messages: {},
  catalogue: new Catalogue(),
  facts: {},
};

/** A stack stands alone in its request, so that the tiers of one that names a stack are all of it. */
const asRequested = (
  candidates: readonly Evaluable[],
  stack: PromotionStackSnapshot | undefined,
): readonly (Evaluable | CandidateStack)[] =>
  stack ? [{ object: 'promotion_stack', id: stack.id, tiers: candidates }] : candidates;

const evaluable = (candidate: Candidate, described: Described | null, conditions: Conditions): Evaluable => {
  const known = foundBy(candidate);
  return {
    redeemable: asRedeemable(candidate, described, conditions),
    ...(described ? { objectId: described.related.id } : {}),
    rules: known ? (candidate.rules ?? []) : [],
    label: known ? known.kind.label(known.facts) : 'Discount Coupon',
    unusable: refusalOf(candidate, conditions),
    isHeld: known ? known.kind.isHeldBy(known.facts, conditions.customerId) : false,
    counted: () => 0,
  };
};

/** A request and everything that decides about it, but what its limits have counted. `order` null: it has none. */
export type EvaluatedRequest = {
  candidates: readonly Candidate[];
  order: OrderState | null;
  settings: StackingSettings;
  knowledge?: Knowledge;
} & Conditions;

/** Returns what its kind says of a candidate; null where nothing was found. */
export const describedOf = (candidate: Candidate): Described | null => {
  const known = foundBy(candidate);
  return known && known.kind.describe(known.facts);
};

/** A candidate as the library evaluates it, without what its limits have counted. */
export const evaluableOf = (candidate: Candidate, conditions: Conditions): Evaluable =>
  evaluable(candidate, describedOf(candidate), conditions);

const requestOf = (
  { order, settings, knowledge = nothingKnown, candidates, ...conditions }: EvaluatedRequest,
  described: readonly (Described | null)[],
): UncountedRequest => {
  const { catalogue, facts, ...known } = knowledge;
  const { now, timezone } = conditions;
  const evaluables = candidates.map((candidate, index) =>
    evaluable(candidate, described[index]!, conditions),
  );
  return {
    order,
    requested: asRequested(evaluables, described[0]?.stack),
    settings,
    ...known,
    context: { now, timezone, catalogue, facts },
  };
};

/** The request as the library evaluates it. */
export const evaluationRequest = (evaluated: EvaluatedRequest): UncountedRequest =>
  requestOf(evaluated, evaluated.candidates.map(describedOf));

/** Counts of a request that limits do not matter to. */
export const nothingCounted: Pick<RequestCounts, 'in'> = {
  in: (request) => ({ ...request, context: { ...request.context, unitsUsed: () => 0 } }),
};

/** Decides what applies and what each redeemable makes of the order. Pure: all knowledge is in its arguments. `counts`: what
 *  limits and budgets had counted before; by default nothing. Source: reference 03 §4. */
export const evaluate = (
  evaluated: EvaluatedRequest,
  counts: Pick<RequestCounts, 'in'> = nothingCounted,
): Evaluation => {
  const { candidates } = evaluated;
  const described = candidates.map(describedOf);
  const request = counts.in(requestOf(evaluated, described));
  const placeOf = new Map(
    candidatesIn(request.requested).map(({ redeemable }, index) => [redeemableKey(redeemable), index]),
  );
  const calculation = evaluateRequest(request);
  return {
    calculation,
    valid: calculation.valid,
    order: calculation.order,
    difference: calculation.difference,
    redeemables: calculation.redeemables.map((calculated) => {
      const { id, object } = calculated;
      const place = placeOf.get(redeemableKey(calculated))!;
      return {
        id,
        object,
        candidate: candidates[place]!,
        described: described[place]!,
        calculated: calculated as CalculatedRedeemable<QualificationRefusalKey>,
      };
    }),
  };
};
