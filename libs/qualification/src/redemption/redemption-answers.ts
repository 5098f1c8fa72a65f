import { Injectable } from '@nestjs/common';
import { renderOrder } from '@scrip/contracts';
import { failureOfRefusal, renderFailure } from '@scrip/edge';
import type { Refusal, RequestContext } from '@scrip/kernel';
import { qualificationRefusals } from '../qualification.refusals';
import { type RedeemablesRequest, expansionsOf } from '../request/redeemables-request';
import type { EvaluatedRedeemable, Evaluation } from '../validation/evaluate';
import type { Prepared } from '../validation/preparation';
import { renderRedeemable } from '../validation/rendered-redeemable';
import type { RedemptionPlan } from './redemption-plan';
import type { successFacts } from './redemption-facts';
import type { RedemptionsResponse } from './redemption.wire';
import { RedemptionRenderer } from './redemption-renderer';

/** A request, and what was made of it. */
export interface Evaluated {
  context: RequestContext;
  request: RedeemablesRequest;
  prepared: Prepared;
  evaluation: Evaluation;
}

/** The stored answer of a keyed command that was refused: what the edge makes of the refusal. */
export const refusedAnswer = (
  refusal: Refusal,
  { requestId }: RequestContext,
): { status: number; body: unknown } => {
  const failure = failureOfRefusal(refusal, [qualificationRefusals]);
  return { status: failure.status, body: renderFailure(failure, requestId) };
};

/** Renders the answers of redeem requests. Source: spec 03 §6.2. */
@Injectable()
export class RedemptionAnswers {
  constructor(private readonly renderer: RedemptionRenderer) {}

  /** Of what is about to be recorded; `streams`: the facts, a stack's parent first. */
  success(
    evaluated: Evaluated,
    plan: RedemptionPlan,
    streams: ReturnType<typeof successFacts>,
  ): RedemptionsResponse {
    const { context, request, prepared } = evaluated;
    const expand = expansionsOf(request);
    const shown = {
      customer: prepared.customer,
      withOrder: expand.has('order'),
      withMetadata: expand.has('redemption'),
    };
    const rendered = streams.map(({ events: [{ data }] }) =>
      this.renderer.render(context.project, data.redemption, shown),
    );
    const order = streams[0]!.events[0].data.redemption.order;
    return {
      redemptions: plan.parentId === null ? rendered : rendered.slice(1),
      ...(plan.parentId === null ? {} : { parent_redemption: rendered[0]! }),
      ...(order ? { order: renderOrder(order) } : {}),
      ...this.leftOut(evaluated),
    };
  }

  /** The redeemables that were not applied. */
  leftOut({ evaluation, request, context }: Evaluated) {
    const expand = expansionsOf(request);
    const shown = (status: EvaluatedRedeemable['outcome']['status']) =>
      evaluation.redeemables
        .filter(({ outcome }) => outcome.status === status)
        .map((evaluated) =>
          renderRedeemable(evaluated, {
            expand,
            requestId: context.requestId,
            show: (order) => ({ ...order, customer_id: null, referrer_id: null, metadata: {} }),
          }),
        );
    return { inapplicable_redeemables: shown('INAPPLICABLE'), skipped_redeemables: shown('SKIPPED') };
  }
}
