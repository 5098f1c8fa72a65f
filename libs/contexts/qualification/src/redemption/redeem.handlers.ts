import { Injectable } from '@nestjs/common';
import type { CustomerSnapshot } from '@scrip/contracts/customers';
import type { IdempotencyRow } from '@scrip/edge';
import {
  type BusinessClock,
  Fault,
  type IdSource,
  type RequestContext,
  isRefused,
  randomIds,
  refuse,
} from '@scrip/kernel';
import type { StackingSettings } from '@scrip/order-calculation';
import { InjectBusinessClock } from '@scrip/service';
import type { QualificationRefusal } from '../qualification.refusals';
import { ClaimLedger } from '../claiming/claim-ledger';
import { type ClaimEnd, claimInRounds } from '../claiming/claim-rounds';
import { Claiming } from '../claiming/claiming';
import { type RequestCounts, RequestCounters, type UncountedRequest } from '../limits/request-counters';
import { countsOf } from './redemption-counts';
import type { Violation } from '../recording/recording';
import { Participants } from '../participants/participants';
import { channelOf } from '../request/channel';
import type { RedeemablesRequest } from '../request/redeemables-request';
import {
  type Candidate,
  type EvaluatedRedeemable,
  type EvaluatedRequest,
  type Evaluation,
  evaluate,
  evaluationRequest,
} from '../evaluation/evaluate';
import { Preparation, type Prepared } from '../evaluation/preparation';
import { ProjectSettings } from '../evaluation/project-settings';
import type { TrackingIds } from '../tracking/tracking-id';
import { InjectTrackingIds } from '../tracking/tracking-id.provider';
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
import { RedemptionMetadata } from '../evaluation/redemption-metadata';
import { planRedemption, plannedIds } from './redemption-plan';
import type { RedemptionsResponse } from './redemption.wire';

/** What one attempt of a redeem request works with. */
interface Attempt {
  context: RequestContext;
  request: RedeemablesRequest;
  prepared: Prepared;
  settings: StackingSettings;
  requestFacts: RequestFacts;
  now: Date;
  ids: IdSource;
  key: IdempotencyRow | null;
  uncounted: UncountedRequest;
  counts: RequestCounts;
  shape: AnswerShape;
  /** Whether no further attempt may follow: a limit that is reached then refuses the request. */
  isLast: boolean;
}

/** What a caller gets of a successful redemption's answer. */
export type AnswerShape = (answer: RedemptionsResponse) => object;

const wholeAnswer: AnswerShape = (answer) => answer;

/** How often one request is evaluated, each time under its own ids, where PARTIAL redeeming loses a race for a limit. Races for
 *  the units of budgets are run until the request's time is over: each one is lost to a redemption that took some. */
const attemptsMax = 3;

/** Why a request is evaluated again: a limit refused one of several redeemables, or a budget has fewer units left. */
type Again = 'again for a limit' | 'again for units';

type End = object | QualificationRefusal | Again;

const isAgain = (end: End): end is Again => typeof end === 'string';

const isPartial = ({ settings }: Pick<Attempt, 'settings'>): boolean =>
  settings.redeemables_application_mode === 'PARTIAL';

type Granted = Extract<ClaimEnd, { end: 'granted' }>;

const isNamed = (one: EvaluatedRedeemable, { object, id }: Violation['redeemable']): boolean =>
  one.object === object && one.id === id;

const keyInUse = (): QualificationRefusal =>
  refuse('idempotency_key_in_use', 'Another execution of this request is in progress or has answered it');

/** Redeems: evaluates, claims (and evaluates again with what owners refused), concludes, answers. Owners learn the
 *  verdict while no caller waits. Source: architecture §8.
 *  Machine time: deadlines. */
@Injectable()
export class RedeemHandlers {
  constructor(
    private readonly preparation: Preparation,
    private readonly settings: ProjectSettings,
    private readonly counters: RequestCounters,
    private readonly claiming: Claiming,
    private readonly participants: Participants,
    private readonly conclusion: Conclusion,
    private readonly answers: RedemptionAnswers,
    private readonly metadata: RedemptionMetadata,
    @InjectTrackingIds() private readonly tracking: TrackingIds,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {}

  /** `key`: the row of a keyed command; `shape`: what of the answer is given and kept, by default all. Refuses as reference 03 §4.3
   *  and §6.2 say; a failed redemption is recorded then. Throws `Fault` where the end cannot be known or the redemption was abandoned: nothing was redeemed, or the owners
   *  will find out. */
  async redeem(
    context: RequestContext,
    request: RedeemablesRequest,
    key: IdempotencyRow | null = null,
    shape: AnswerShape = wholeAnswer,
  ): Promise<object | QualificationRefusal> {
    if (key?.resumed) {
      const earlier = await this.endOfEarlierAttempt(context, key, shape);
      if (earlier) return earlier;
    }
    const misfit = await this.metadata.refusalOf(context, request);
    if (misfit) return misfit;
    // A customer without a name of its own must not be created once per attempt.
    const customerIds = key?.commandIds() ?? randomIds;
    const prepared = await this.preparation.prepare(context, request, customerIds, { store: true });
    if (isRefused(prepared)) return prepared;
    const misfitOfOrder = await this.metadata.refusalOfOrder(context, prepared.order);
    if (misfitOfOrder) return misfitOfOrder;
    const now = this.clock.now(context.project);
    const requestFacts = this.requestFactsOf(context, request, prepared.customer, now);
    const settings = await this.settings.stackingOf(context);
    const uncounted = evaluationRequest(this.evaluated({ context, prepared, settings, now }));
    for (let nth = 1; ;) {
      const counts = await this.counters.of(context, uncounted, requestFacts);
      const own = {
        ids: key?.ids() ?? randomIds,
        key,
        shape,
        uncounted,
        counts,
        isLast: nth === attemptsMax,
      };
      const end = await this.attempt({ context, request, prepared, settings, requestFacts, now, ...own });
      if (!isAgain(end)) return end;
      if (end === 'again for a limit') nth += 1;
      if (Date.now() >= context.deadlineAt)
        throw new Fault('deadline', 'other redemptions took the units of a budget again and again');
      if (key && !(await key.raiseAttempt())) return keyInUse();
    }
  }

  private attempt(attempt: Attempt): Promise<End> {
    const evaluation = this.evaluate(attempt, attempt.prepared.candidates);
    return evaluation.valid
      ? this.claimAndConclude(attempt, evaluation)
      : this.fail(attempt, this.refusedBy(attempt, evaluation), null);
  }

  /** What a repetition finds of an execution that ended without an answer: its redemption, or nothing, and then the
   *  next attempt is begun under new ids. */
  private async endOfEarlierAttempt(
    context: RequestContext,
    key: IdempotencyRow,
    shape: AnswerShape,
  ): Promise<object | QualificationRefusal | null> {
    const redemptionId = key.ids().next('r_', 'redemption');
    const outcome = await this.conclusion.verdictOn(redemptionId);
    if (outcome?.verdict === 'RECORDED') {
      const answer = await this.answers.recorded(context, redemptionId);
      return isRefused(answer) ? answer : shape(answer);
    }
    return (await key.raiseAttempt()) ? null : keyInUse();
  }

  private requestFactsOf(
    context: RequestContext,
    { tracking_id, metadata }: RedeemablesRequest,
    customer: CustomerSnapshot | null,
    now: Date,
  ): RequestFacts {
    const { id } = context.project;
    const identity =
      customer?.source_id ?? (tracking_id === undefined ? null : this.tracking.identityOf(id, tracking_id));
    return {
      date: now.toISOString(),
      customer_id: customer?.id ?? null,
      tracking_id: identity === null ? null : this.tracking.encode(id, identity),
      metadata: metadata ?? null,
      channel: channelOf(context),
    };
  }

  private evaluate(attempt: Attempt, candidates: readonly Candidate[]): Evaluation {
    return evaluate(this.evaluated(attempt, candidates), attempt.counts);
  }

  /** What is evaluated: all that was asked for, or that with facts that owners refused with. */
  private evaluated(
    { context, prepared, settings, now }: Pick<Attempt, 'context' | 'prepared' | 'settings' | 'now'>,
    candidates: readonly Candidate[] = prepared.candidates,
  ): EvaluatedRequest {
    return {
      candidates,
      order: prepared.order?.state ?? null,
      knowledge: prepared.knowledge,
      settings,
      now,
      timezone: context.project.timezone,
      usesAreClaimed: true,
      customerId: prepared.customer?.id ?? null,
    };
  }

  private async claimAndConclude(attempt: Attempt, first: Evaluation): Promise<End> {
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
  ): Promise<End> {
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
