import type { QualificationRefusal } from '../qualification.refusals';
import type { Candidate, EvaluatedRedeemable, Evaluation } from '../evaluation/evaluate';
import { isSameAsk, withFacts, withRefusals } from '../evaluation/refused-candidates';
import { orderParticipant } from '../participants/participants';
import type { HeldClaim, RefusedClaim, WantedClaim } from '../claiming/claim-ledger';
import type { Taken } from '../claiming/claiming';
import type { RedemptionPlan } from './redemption-plan';

/** Evaluations and plans of one request, with the answers of its owners. */
export interface ClaimRounds {
  candidates: readonly Candidate[];
  evaluate: (candidates: readonly Candidate[]) => Evaluation;
  plan: (evaluation: Evaluation) => RedemptionPlan;
  take: (wanted: readonly WantedClaim[]) => Promise<Taken>;
}

/** `granted`: all promises of the plan hold. `refused`: by an owner, or, with `refusal` null, by the evaluation of what an owner
 *  knew. */
export type ClaimEnd =
  | { end: 'granted'; evaluation: Evaluation; plan: RedemptionPlan; held: HeldClaim[] }
  | {
      end: 'refused';
      evaluation: Evaluation;
      refusal: QualificationRefusal | null;
      about: EvaluatedRedeemable | null;
    };

const roundsMax = 3;

const wantedBy = ({ redemptions, order }: RedemptionPlan): WantedClaim[] => [
  ...redemptions.flatMap(({ claim }) => claim ?? []),
  ...(order
    ? [{ participant: orderParticipant, object_id: order.order.id, asks: { order } } satisfies WantedClaim]
    : []),
];

/** The claims refused, each with the redeemable it was for, in the order of application; the order's last. */
const refusals = (plan: RedemptionPlan, refused: readonly RefusedClaim[]) => [
  ...plan.redemptions.flatMap(({ claim, evaluated }) =>
    refused.flatMap((one) =>
      claim && isSameAsk(one, claim) ? [{ ...one, about: evaluated as EvaluatedRedeemable | null }] : [],
    ),
  ),
  ...refused.filter(({ asks }) => asks.order).map((one) => ({ ...one, about: null })),
];

type Refused = ReturnType<typeof refusals>[number];

/** Evaluates again. What would ask an owner for exactly what it just refused counts as refused. */
const evaluateAgain = (
  { evaluate, plan }: ClaimRounds,
  candidates: readonly Candidate[],
  refused: readonly Refused[],
): { candidates: readonly Candidate[]; evaluation: Evaluation } => {
  const evaluation = evaluate(candidates);
  if (!evaluation.valid) return { candidates, evaluation };
  const wanted = wantedBy(plan(evaluation));
  const repeated = refused.filter((one) => one.about && wanted.some((claim) => isSameAsk(claim, one)));
  if (repeated.length === 0) return { candidates, evaluation };
  const pinned = withRefusals(candidates, repeated);
  return { candidates: pinned, evaluation: evaluate(pinned) };
};

/** Claims what an evaluation wants. Where an owner refuses, evaluates again with the facts of the refusal, keeps the
 *  claims that still fit and takes the others, at most three rounds. A refused order ends it, and so does an owner
 *  that knows the redemption as abandoned. Source: architecture §8. */
export const claimInRounds = async (rounds: ClaimRounds, first: Evaluation): Promise<ClaimEnd> => {
  let { candidates } = rounds;
  let evaluation = first;
  for (let round = 1; ; round += 1) {
    const plan = rounds.plan(evaluation);
    const taken = await rounds.take(wantedBy(plan));
    if (taken.refused.length === 0) return { end: 'granted', evaluation, plan, held: taken.held };
    const refused = refusals(plan, taken.refused);
    const abandoned = refused.find(({ refusal }) => refusal.refused === 'claim_abandoned');
    const isLast = refused[0]!.about === null || round === roundsMax;
    const decisive = abandoned ?? (isLast ? refused[0]! : null);
    if (decisive) {
      const about = decisive.about ?? plan.redemptions[0]?.evaluated ?? null;
      return { end: 'refused', evaluation, refusal: decisive.refusal, about };
    }
    ({ candidates, evaluation } = evaluateAgain(rounds, withFacts(candidates, refused), refused));
    if (!evaluation.valid) return { end: 'refused', evaluation, refusal: null, about: null };
  }
};
