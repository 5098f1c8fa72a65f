import { Injectable } from '@nestjs/common';
import type { CustomerSnapshot, RedemptionEvent } from '@scrip/contracts';
import type { IdempotencyRow } from '@scrip/edge';
import type { NewStream } from '@scrip/event-store';
import {
  type Clock,
  Fault,
  type IdSource,
  type Refusal,
  type RequestContext,
  isRefused,
  randomIds,
  refuse,
} from '@scrip/kernel';
import { defaultStackingSettings } from '@scrip/order-calculation';
import { InjectClock } from '@scrip/service';
import { Outcomes } from '../outcomes/outcomes';
import { UnderWay } from '../outcomes/under-way';
import type { RedeemablesRequest } from '../request/redeemables-request';
import { SettlementPusher } from '../settlement/settlement';
import { type EvaluatedRedeemable, evaluate } from '../validation/evaluate';
import { Preparation } from '../validation/preparation';
import type { TrackingIds } from '../validation/tracking-id';
import { InjectTrackingIds } from '../validation/tracking-id.provider';
import { type ClaimEnd, Claiming, type SentClaims } from './claiming';
import { type Recording, Recorder } from './recorder';
import { RecordedAnswers } from './recorded-answers';
import { type Evaluated, RedemptionAnswers, refusedAnswer } from './redemption-answers';
import { type Circumstances, failureFact, successFacts } from './redemption-facts';
import { type RedemptionPlan, channelOf, planRedemption } from './redemption-plan';

/** One redeem request on its way through the protocol. */
interface Attempt {
  context: RequestContext;
  request: RedeemablesRequest;
  ids: IdSource;
  key: IdempotencyRow | null;
}

interface Decided extends Attempt, Evaluated {
  circumstances: Circumstances;
}

const inProgress = (): Refusal =>
  refuse('request_in_progress', 'Another execution of this request is in progress or has answered it');

/** Redeems: evaluate, claim, record, answer; the settlement follows by itself. Source: architecture §8. */
@Injectable()
export class RedeemHandlers {
  constructor(
    private readonly preparation: Preparation,
    private readonly claiming: Claiming,
    private readonly recorder: Recorder,
    private readonly settlement: SettlementPusher,
    private readonly outcomes: Outcomes,
    private readonly underWay: UnderWay,
    private readonly answers: RedemptionAnswers,
    private readonly recorded: RecordedAnswers,
    @InjectTrackingIds() private readonly tracking: TrackingIds,
    @InjectClock() private readonly clock: Clock,
  ) {}

  /** `key`: the row of a keyed command. Refuses as spec 03 §4.3 and §6.2 say, the failed attempt being recorded then.
   *  Throws `Fault` where the end cannot be known or somebody abandoned the redemption: nothing was redeemed, or the
   *  owners will find out. */
  async redeem(
    context: RequestContext,
    request: RedeemablesRequest,
    key: IdempotencyRow | null = null,
  ): Promise<object | Refusal> {
    if (key?.resumed) {
      const earlier = await this.endOfEarlierAttempt(context, key);
      if (earlier) return earlier;
    }
    const ids = key?.ids() ?? randomIds;
    const attempt: Attempt = { context, request, ids, key };
    const prepared = await this.preparation.prepare(context, request, ids, { store: true });
    if (isRefused(prepared)) return prepared;
    const now = this.clock.now();
    const evaluation = evaluate({
      candidates: prepared.candidates,
      order: prepared.order?.state ?? null,
      settings: defaultStackingSettings,
      now,
      timezone: context.project.timezone,
      usesAreClaimed: true,
    });
    const circumstances = this.circumstancesOf(attempt, prepared.customer, now);
    const decided: Decided = { ...attempt, prepared, evaluation, circumstances };
    return evaluation.valid ? this.claimAndRecord(decided) : this.refuseEvaluated(decided);
  }

  /** What a repetition finds of an execution that ended without an answer: its redemption, or nothing, and then the
   *  next attempt is begun under new ids. */
  private async endOfEarlierAttempt(
    context: RequestContext,
    key: IdempotencyRow,
  ): Promise<object | Refusal | null> {
    const redemptionId = key.ids().next('r_', 'redemption');
    const [outcome] = await this.outcomes.resolve([redemptionId]);
    if (outcome?.verdict === 'RECORDED') return this.recorded.answer(context, redemptionId);
    return (await key.raiseAttempt()) ? null : inProgress();
  }

  private circumstancesOf(
    { context, request }: Attempt,
    customer: CustomerSnapshot | null,
    now: Date,
  ): Circumstances {
    const { project } = context;
    const identity =
      customer?.source_id ??
      (request.tracking_id === undefined ? null : this.tracking.identityOf(project.id, request.tracking_id));
    return {
      date: now.toISOString(),
      customer_id: customer?.id ?? null,
      tracking_id: identity === null ? null : this.tracking.encode(project.id, identity),
      metadata: request.metadata ?? null,
      channel: channelOf(context),
    };
  }

  private refuseEvaluated(decided: Decided): Promise<Refusal> {
    const { redeemables } = decided.evaluation;
    for (const evaluated of redeemables) {
      if (evaluated.outcome.status !== 'INAPPLICABLE') continue;
      return this.fail(decided, evaluated.outcome.refusal, evaluated, null);
    }
    const nothing = refuse('no_applicable_redeemables', undefined, this.answers.leftOut(decided));
    return this.fail(decided, nothing, null, null);
  }

  private async claimAndRecord(decided: Decided): Promise<object | Refusal> {
    const { prepared, evaluation, circumstances, ids } = decided;
    const { order, customer } = prepared;
    const plan = planRedemption(evaluation, { order, customer, date: circumstances.date, ids });
    return this.underWay.during(plan.outcomeId, async () => {
      const sent: SentClaims = { vouchers: [], orders: [] };
      const end = await this.claim(decided, plan, sent);
      return end.end === 'refused'
        ? this.refuseClaimed(decided, plan, end, sent)
        : this.recordSuccess(decided, plan, end, sent);
    });
  }

  private async claim({ context, ids }: Decided, plan: RedemptionPlan, sent: SentClaims): Promise<ClaimEnd> {
    try {
      return await this.claiming.claim(
        context,
        {
          redemptionId: plan.outcomeId,
          voucherIds: plan.redemptions.map(({ voucherId }) => voucherId),
          order: plan.order,
        },
        ids,
        sent,
      );
    } catch (error) {
      await this.abandon(context, plan, sent);
      throw error;
    }
  }

  /** Gives up after claims were sent and no answer came: the verdict first, then the reverts. */
  private async abandon(context: RequestContext, plan: RedemptionPlan, sent: SentClaims): Promise<void> {
    const [outcome] = await this.outcomes.resolve([plan.outcomeId]);
    if (outcome) this.settle(context, outcome, sent);
  }

  private refuseClaimed(
    decided: Decided,
    plan: RedemptionPlan,
    { refusal, voucherId }: Extract<ClaimEnd, { end: 'refused' }>,
    sent: SentClaims,
  ): Promise<Refusal> {
    if ((refusal.status ?? 400) >= 500) return this.giveUp(decided, plan, sent);
    // An order too large to be stored: the payload's fault, and payload errors leave no record.
    if (refusal.refused === 'invalid_payload') return this.abandonFor(refusal, decided, plan, sent);
    const about = plan.redemptions.find((planned) => planned.voucherId === voucherId) ?? plan.redemptions[0]!;
    return this.fail(decided, refusal, about.evaluated, { plan, sent });
  }

  private async abandonFor(refusal: Refusal, { context }: Decided, plan: RedemptionPlan, sent: SentClaims) {
    await this.abandon(context, plan, sent);
    return refusal;
  }

  /** An owner knows that somebody abandoned this redemption: that is no failed attempt of the caller's. */
  private async giveUp({ context }: Decided, plan: RedemptionPlan, sent: SentClaims): Promise<never> {
    await this.abandon(context, plan, sent);
    throw new Fault('unavailable', 'the redemption was abandoned while it was being claimed');
  }

  private async recordSuccess(
    decided: Decided,
    plan: RedemptionPlan,
    granted: Extract<ClaimEnd, { end: 'granted' }>,
    sent: SentClaims,
  ): Promise<object | Refusal> {
    const { context, circumstances, key } = decided;
    const outcome = {
      redemption_id: plan.outcomeId,
      verdict: 'RECORDED' as const,
      claims: [...granted.vouchers, ...(granted.order ? [granted.order] : [])].map(
        ({ claim_id }) => claim_id,
      ),
    };
    const streams = successFacts(plan, granted, circumstances);
    const answer = this.answers.success(decided, plan, streams);
    const end = await this.recorder.record({
      context,
      outcome,
      streams,
      key: key && { row: key, answer: { status: 200, body: answer } },
    });
    this.underWay.ended(plan.outcomeId);
    if (end === 'recorded') {
      this.settle(context, outcome, sent);
      return answer;
    }
    this.settle(context, { ...outcome, verdict: 'ABANDONED', claims: [] }, sent);
    if (end === 'superseded') return inProgress();
    throw new Fault('unavailable', 'the redemption was abandoned before it could be recorded');
  }

  /** Records a failed attempt and answers its refusal. `claimed`: what was claimed before, which is abandoned in the same
   *  transaction and reverted after it. */
  private async fail(
    { context, circumstances, ids, key }: Decided,
    cause: Refusal,
    about: EvaluatedRedeemable | null,
    claimed: { plan: RedemptionPlan; sent: SentClaims } | null,
  ): Promise<Refusal> {
    const failureId = ids.next('rf_', 'failure');
    const refusal: Refusal = {
      ...cause,
      resourceId: failureId,
      resourceType: 'redemption',
      ...(about ? { redeemable_id: about.id, redeemable_type: about.object } : {}),
    };
    const outcome = claimed && {
      redemption_id: claimed.plan.outcomeId,
      verdict: 'ABANDONED' as const,
      claims: [],
    };
    const streams: NewStream<RedemptionEvent>[] = [failureFact(failureId, cause, about, circumstances)];
    const recording: Recording = {
      context,
      outcome,
      streams,
      key: key && { row: key, answer: refusedAnswer(refusal, context) },
    };
    // Where this throws, nobody knows what stands: nothing is reverted here, the owners ask.
    const end = await this.recorder.record(recording);
    if (claimed && outcome) {
      this.underWay.ended(outcome.redemption_id);
      this.settle(context, outcome, claimed.sent);
    }
    return end === 'superseded' ? inProgress() : refusal;
  }

  private settle(
    { project, requestId }: RequestContext,
    outcome: { redemption_id: string; verdict: 'RECORDED' | 'ABANDONED'; claims: string[] },
    { vouchers, orders }: SentClaims,
  ): void {
    this.settlement.push({ project, requestId, outcome, vouchers, orders });
  }
}
