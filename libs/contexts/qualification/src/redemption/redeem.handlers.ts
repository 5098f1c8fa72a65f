import { Injectable } from '@nestjs/common';
import type { CustomerSnapshot } from '@scrip/contracts/customers';
import type { IdempotencyRow } from '@scrip/edge';
import { type BusinessClock, Fault, type RequestContext, isRefused, randomIds } from '@scrip/kernel';
import { InjectBusinessClock } from '@scrip/service';
import type { QualificationRefusal } from '../qualification.refusals';
import { RequestCounters } from '../limits/request-counters';
import { channelOf } from '../request/channel';
import type { RedeemablesRequest } from '../request/redeemables-request';
import { evaluationRequest } from '../evaluation/evaluate';
import { evaluatedRequest, Preparation } from '../evaluation/preparation';
import { ProjectSettings } from '../evaluation/project-settings';
import { identityOfRequest } from '../tracking/identity-of-request';
import type { TrackingIds } from '@scrip/wire/qualification';
import { InjectTrackingIds } from '../tracking/tracking-id.provider';
import { Conclusion } from './conclusion';
import { RedemptionAnswers } from './redemption-answers';
import { type AnswerShape, RedemptionAttempts, isAgain, keyInUse } from './redemption-attempts';
import type { RequestFacts } from './redemption-facts';
import { RedemptionMetadata } from '../evaluation/redemption-metadata';

const wholeAnswer: AnswerShape = (answer) => answer;

/** How often one request is evaluated, each time under its own ids, where PARTIAL redeeming loses a race for a limit. Races for
 *  the units of budgets are run until the request's time is over: each one is lost to a redemption that took some. */
const attemptsMax = 3;

/** Redeems: prepares a request, and attempts it until it has an end. Source: architecture §8.
 *  Machine time: deadlines. */
@Injectable()
export class RedeemHandlers {
  constructor(
    private readonly preparation: Preparation,
    private readonly settings: ProjectSettings,
    private readonly counters: RequestCounters,
    private readonly attempts: RedemptionAttempts,
    private readonly conclusion: Conclusion,
    private readonly answers: RedemptionAnswers,
    private readonly metadata: RedemptionMetadata,
    @InjectTrackingIds() private readonly tracking: TrackingIds,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {}

  /** `key`: the row of a keyed command; `shape`: what of the answer is given and kept, by default all. Refuses as reference 03 §4.3
   *  and §6.2 say, and records the failed redemption. Throws `Fault` where the end cannot be known or the redemption was abandoned:
   *  then nothing was redeemed, or the owners ask for the verdict. */
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
    const evaluated = evaluatedRequest(context, prepared, { settings, now, usesAreClaimed: true });
    const uncounted = evaluationRequest(evaluated);
    const asked = { context, request, prepared, settings, requestFacts, now, key, shape };
    for (let nth = 1; ;) {
      const counts = await this.counters.of(context, uncounted, requestFacts);
      const ids = key?.ids() ?? randomIds;
      const end = await this.attempts.run({
        ...asked,
        evaluated,
        uncounted,
        counts,
        ids,
        isLast: nth === attemptsMax,
      });
      if (!isAgain(end)) return end;
      if (end === 'again for a limit') nth += 1;
      if (Date.now() >= context.deadlineAt)
        throw new Fault('deadline', 'other redemptions took the units of a budget again and again');
      if (key && !(await key.raiseAttempt())) return keyInUse();
    }
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
    request: RedeemablesRequest,
    customer: CustomerSnapshot | null,
    now: Date,
  ): RequestFacts {
    const { id } = context.project;
    // Nothing stored beside a customer's id tells who it is: its tracking id is made when it is shown.
    const identity = customer ? null : identityOfRequest(this.tracking, id, request, null);
    return {
      date: now.toISOString(),
      customer_id: customer?.id ?? null,
      tracking_id: identity === null ? null : this.tracking.encode(id, identity),
      metadata: request.metadata ?? null,
      channel: channelOf(context),
    };
  }
}
