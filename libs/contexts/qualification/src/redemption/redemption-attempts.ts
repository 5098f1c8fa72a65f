import { Injectable } from '@nestjs/common';
import type { IdempotencyRow } from '@scrip/edge';
import { Fault, type IdSource, type RequestContext, refuse } from '@scrip/kernel';
import type { StackingSettings } from '@scrip/order-calculation';
import type { QualificationRefusal } from '../qualification.refusals';
import { ClaimLedger } from '../claiming/claim-ledger';
import { Claiming } from '../claiming/claiming';
import type { Violation } from '../limits/counted-recording';
import type { RequestCounts, UncountedRequest } from '../limits/request-counters';
import { countsOf } from './redemption-counts';
import { Participants } from '../participants/participants';
import type { RedeemablesRequest } from '../request/redeemables-request';
import {
  type Candidate,
  type EvaluatedRedeemable,
  type EvaluatedRequest,
  type Evaluation,
  evaluate,
} from '../evaluation/evaluate';
import type { Prepared } from '../evaluation/preparation';
import { type ClaimEnd, claimInRounds } from './claim-rounds';
import { Conclusion } from './conclusion';
import { answeredRefusal, type Evaluated, RedemptionAnswers, refusedAnswer } from './redemption-answers';
import {
  type Failure,
  type RequestFacts,
  failureFact,
  firstRefusalOf,
  leftOutFacts,
  successFacts,
} from './redemption-facts';
import { planRedemption, plannedIds } from './redemption-plan';
import type { RedemptionsResponse } from './redemption.wire';

/** What a caller gets of a successful redemption's answer. */
export type AnswerShape = (answer: RedemptionsResponse) => object;

/** What one attempt of a redeem request works with. */
export interface Attempt {
  context: RequestContext;
  request: RedeemablesRequest;
  prepared: Prepared;
  settings: StackingSettings;
  requestFacts: RequestFacts;
  now: Date;
  ids: IdSource;
  key: IdempotencyRow | null;
  evaluated: EvaluatedRequest;
  uncounted: UncountedRequest;
  counts: RequestCounts;
  shape: AnswerShape;
  /** Whether no further attempt may follow: a limit that is reached then refuses the request. */
  isLast: boolean;
}

/** Why a request is evaluated again: a limit refused one of several redeemables, or a budget has fewer units left. */
type Again = 'again for a limit' | 'again for units';

/** The answer of an attempt, its refusal, or why another attempt follows. */
export type AttemptEnd = object | QualificationRefusal | Again;

/** Whether another attempt follows, under new ids. */
export const isAgain = (end: AttemptEnd): end is Again => typeof end === 'string';

/** Refuses a request under whose key another execution runs, or has answered. */
export const keyInUse = (): QualificationRefusal =>
  refuse('idempotency_key_in_use', 'Another execution of this request is in progress or has answered it');

const isPartial = ({ settings }: Pick<Attempt, 'settings'>): boolean =>
  settings.redeemables_application_mode === 'PARTIAL';

type Granted = Extract<ClaimEnd, { end: 'granted' }>;

const isNamed = (one: EvaluatedRedeemable, { object, id }: Violation['redeemable']): boolean =>
  one.object === object && one.id === id;

/** Attempts to redeem: evaluates, claims (and evaluates again with what owners refused), concludes. Owners learn the verdict
 *  while no caller waits. Source: architecture §8. */
@Injectable()
export class RedemptionAttempts {
  constructor(
    private readonly claiming: Claiming,
    private readonly participants: Participants,
    private readonly conclusion: Conclusion,
    private readonly answers: RedemptionAnswers,
  ) {}

  /** Evaluates, claims, concludes. Throws `Fault` where the end cannot be known or the redemption was abandoned. */
  run(attempt: Attempt): Promise<AttemptEnd> {
    const evaluation = this.evaluate(attempt, attempt.prepared.candidates);
    return evaluation.valid
      ? this.claimAndConclude(attempt, evaluation)
      : this.fail(attempt, this.refusedBy(attempt, evaluation), null);
  }

  /** `candidates`: all that was asked for, or that with the facts that owners refused on. */
  private evaluate({ evaluated, counts }: Attempt, candidates: readonly Candidate[]): Evaluation {
    return evaluate({ ...evaluated, candidates }, counts);
  }

  private async claimAndConclude(attempt: Attempt, first: Evaluation): Promise<AttemptEnd> {
    const { prepared, request, requestFacts, context } = attempt;
    const { order, customer } = prepared;
    const session = request.session?.key ?? null;
    const ids = plannedIds(attempt.ids);
    const ledger = new ClaimLedger(ids.outcomeId, attempt.ids);
    const atRefusal = isPartial(attempt) ? 'CONTINUE' : 'STOP';
    return this.conclusion.during(ids.outcomeId, async () => {
      const end = await this.abandoning(context, ledger, () =>
        claimInRounds(
          {
            candidates: prepared.candidates,
            evaluate: (candidates) => this.evaluate(attempt, candidates),
            plan: (evaluation) =>
              planRedemption(evaluation, { order, customer, session, date: requestFacts.date, ids }),
            take: (wanted) => this.claiming.take(context, ledger, wanted, atRefusal),
          },
          first,
        ),
      );
      return end.end === 'granted'
        ? this.succeed(attempt, end, ledger)
        : this.refuseClaimed(attempt, end, ledger);
    });
  }

  /** Abandons the redemption where claiming throws. */
  private async abandoning<T>(
    context: RequestContext,
    ledger: ClaimLedger,
    claim: () => Promise<T>,
  ): Promise<T> {
    try {
      return await claim();
    } catch (error) {
      await this.conclusion.abandon(context, ledger);
      throw error;
    }
  }

  private async refuseClaimed(
    attempt: Attempt,
    { refusal, about, evaluation }: Extract<ClaimEnd, { end: 'refused' }>,
    ledger: ClaimLedger,
  ): Promise<QualificationRefusal> {
    if (!refusal) return this.fail(attempt, this.refusedBy(attempt, evaluation), ledger);
    // The owner knows that the redemption was abandoned: the caller gets no failed redemption.
    const isAbandoned = refusal.refused === 'claim_abandoned';
    // An order too large to be stored: the payload's fault, and payload errors leave no record.
    if (!isAbandoned && refusal.refused !== 'invalid_payload')
      return this.fail(attempt, { refusal, about }, ledger);
    await this.conclusion.abandon(attempt.context, ledger);
    if (!isAbandoned) return refusal;
    throw new Fault('unavailable', 'the redemption was abandoned while it was being claimed');
  }

  private async succeed(
    attempt: Attempt,
    { evaluation, plan, held }: Granted,
    ledger: ClaimLedger,
  ): Promise<AttemptEnd> {
    const { context, requestFacts, key, now } = attempt;
    const evaluated = plan.redemptions.map((planned) => planned.evaluated);
    const judged = attempt.counts.recorded(evaluation.calculation, attempt.uncounted);
    const counts = countsOf(evaluated, now, context.project.timezone, judged.units);
    const { parentId } = plan;
    const redeemed = successFacts(plan, held, requestFacts, { participants: this.participants, counts });
    const leftOut = leftOutFacts(evaluation.redeemables, requestFacts, { ids: attempt.ids, parentId });
    const answer = attempt.shape(this.answers.success({ ...attempt, evaluation }, plan, redeemed));
    const goesOn = isPartial(attempt) && !attempt.isLast;
    let refusal: QualificationRefusal | null = null;
    let again: Again = 'again for a limit';
    const refused = (violation: Violation | 'budgets') => {
      refusal = null;
      again = violation === 'budgets' ? 'again for units' : 'again for a limit';
      if (goesOn || violation === 'budgets') return { streams: [], answer: null };
      const about = evaluated.find((one) => isNamed(one, violation.redeemable)) ?? null;
      const failure = this.failureOf(attempt, { refusal: violation.refusal, about });
      ({ refusal } = failure);
      return failure;
    };
    const end = await this.conclusion.succeed(
      {
        context,
        key,
        streams: [...redeemed, ...leftOut],
        answer: { status: 200, body: answer },
        counted: { redemption: { ...requestFacts, counts }, ...judged, refused },
      },
      ledger,
      held.map(({ claim_id }) => claim_id),
    );
    if (end === 'recorded') return answer;
    if (end === 'superseded') return keyInUse();
    if (end === 'limited') return refusal ?? again;
    throw new Fault('unavailable', 'the redemption was abandoned before it could be recorded');
  }

  /** Why nothing is redeemed: the first redeemable that does not apply; that none does where the project redeems partially, or where
   *  all are passed over. Source: reference 03 §6.2. */
  private refusedBy(attempt: Attempt, evaluation: Evaluation): Failure {
    const first = firstRefusalOf(evaluation);
    if (first && !isPartial(attempt)) return first;
    const evaluated: Evaluated = { ...attempt, evaluation };
    const { redeemables } = evaluation;
    return {
      refusal: refuse('no_applicable_redeemables', undefined, this.answers.leftOut(evaluated)),
      about: redeemables.length === 1 ? redeemables[0]! : null,
      because: first && first.refusal,
    };
  }

  /** Records a failed redemption and returns its refusal. */
  private async fail(
    attempt: Attempt,
    cause: Failure,
    ledger: ClaimLedger | null,
  ): Promise<QualificationRefusal> {
    const { context, key } = attempt;
    const { refusal, streams, answer } = this.failureOf(attempt, cause);
    const end = await this.conclusion.refuse({ context, key, streams, answer }, ledger);
    return end === 'superseded' ? keyInUse() : refusal;
  }

  /** The record of a failed redemption, and what the caller gets. */
  private failureOf({ context, requestFacts, ids }: Attempt, failure: Failure) {
    const { about } = failure;
    const failureId = ids.next('rf_', 'failure');
    const refusal: QualificationRefusal = {
      ...answeredRefusal(failure.refusal),
      resourceId: failureId,
      resourceType: 'redemption',
      ...(about ? { redeemable_id: about.id, redeemable_type: about.object } : {}),
    };
    const streams = [failureFact(failureId, failure, requestFacts)];
    return { refusal, streams, answer: refusedAnswer(refusal, context) };
  }
}
