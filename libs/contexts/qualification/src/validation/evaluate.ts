import { notFound, isRefused } from '@scrip/kernel';
import {
  type CalculatedOrder,
  type CalculatedRedeemable,
  type OrderDifference,
  type OrderState,
  type Redeemable,
  type StackingSettings,
  calculate,
} from '@scrip/order-calculation';
import type { OwnerRefusal } from '@scrip/contracts/claims';
import type { QualificationRefusalKey, QualificationRefusal } from '../qualification.refusals';
import type { Conditions, Described, RedeemableKind } from '../participants/redeemable-kind';
import type { RedeemableRequest } from '../request/redeemables-request';

/** One thing that was asked for and what is known of it: what its owner's `load` returned, or why there is nothing.
 *  `kind` null: a kind that no participant serves. */
export interface Candidate {
  requested: RedeemableRequest;
  kind: RedeemableKind | null;
  found: unknown;
  /** `found` came with a refused claim: its counts are the owner's, so limits are checked here too. */
  factsOfRefusal?: boolean;
  /** The owner refused a claim that would be asked for again. */
  refusedByOwner?: QualificationRefusal;
  /** It would pass a limit. */
  refusedByLimit?: QualificationRefusal;
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

/** `order`: after everything that applies; `difference`: what that did to it; null without an order in the request. */
export interface Evaluation {
  valid: boolean;
  redeemables: EvaluatedRedeemable[];
  order: CalculatedOrder | null;
  difference: OrderDifference | null;
}

const unknown = ({ object, id }: RedeemableRequest) => notFound(object, id, object.replace('_', ' '));

/** The refusal of a kind that no participant serves. */
export const unknownKind = (requested: RedeemableRequest): QualificationRefusal => unknown(requested);

/** The kind that serves a candidate, and what was found; null where nothing was. */
const foundBy = ({ kind, found }: Candidate): { kind: RedeemableKind; facts: unknown } | null =>
  kind && !isRefused(found) ? { kind, facts: found } : null;

const asRedeemable = (candidate: Candidate): Redeemable => {
  const { requested } = candidate;
  const object = requested.object === 'voucher' ? 'voucher' : 'promotion_tier';
  const known = foundBy(candidate);
  return known
    ? { object, ...known.kind.calculable(known.facts) }
    : { object, id: requested.id, incentive: null };
};

const refusalOf = (candidate: Candidate, conditions: Conditions): QualificationRefusal | null => {
  const { requested, found, refusedByOwner, refusedByLimit = null, factsOfRefusal = false } = candidate;
  const known = foundBy(candidate);
  if (known) {
    const usesAreClaimed = conditions.usesAreClaimed && !factsOfRefusal;
    const unusable = known.kind.unusable(known.facts, { ...conditions, usesAreClaimed });
    return refusedByOwner ?? unusable ?? refusedByLimit;
  }
  return isRefused(found) && (found.refused !== 'not_found' || requested.object !== 'voucher')
    ? (found as OwnerRefusal)
    : unknown(requested);
};

/** One request never names a redeemable twice. */
const nameOf = ({ object, id }: Pick<Redeemable, 'object' | 'id'>): string => `${object} ${id}`;

/** Decides what applies and what each redeemable makes of the order. Pure: all knowledge is in its arguments.
 *  `order` null: the request has none. Source: reference 03 §4. */
export const evaluate = ({
  candidates,
  order,
  settings,
  ...conditions
}: {
  candidates: readonly Candidate[];
  order: OrderState | null;
  settings: StackingSettings;
} & Conditions): Evaluation => {
  const candidateOf = new Map(candidates.map((candidate) => [nameOf(asRedeemable(candidate)), candidate]));
  const preCheck = (redeemable: Redeemable): QualificationRefusal | null =>
    refusalOf(candidateOf.get(nameOf(redeemable))!, conditions);
  const calculation = calculate(order, candidates.map(asRedeemable), settings, { preCheck });
  return {
    valid: calculation.valid,
    order: calculation.order,
    difference: calculation.difference,
    redeemables: calculation.redeemables.map((calculated) => {
      const { id, object } = calculated;
      const candidate = candidateOf.get(nameOf(calculated))!;
      const known = foundBy(candidate);
      return { id, object, candidate, described: known && known.kind.describe(known.facts), calculated };
    }),
  };
};
