import { Injectable } from '@nestjs/common';
import { type StoredAnswer, failureOfRefusal, isKept, renderFailure } from '@scrip/edge';
import { isFromBrowser, type RequestContext } from '@scrip/kernel';
import type { StackingSettings } from '@scrip/order-calculation';
import { renderOrder } from '@scrip/wire/customers';
import type { QualificationRefusal } from '../qualification.refusals';
import { qualificationRefusals } from '../qualification.refusals';
import { type RedeemablesRequest, expansionsOf } from '../request/redeemables-request';
import type { EvaluatedRedeemable, Evaluation } from '../evaluation/evaluate';
import type { Prepared } from '../evaluation/preparation';
import { renderRedeemable } from '../rendering/rendered-redeemable';
import { visibleTo } from '../rendering/shown-to-browsers';
import type { RedemptionPlan } from './redemption-plan';
import type { successFacts } from './redemption-facts';
import type { RedemptionsResponse } from './redemption.wire';
import { RecordedAnswers } from './recorded-answers';
import { RedemptionRenderer } from './redemption-renderer';

/** A request, and what was made of it. */
export interface Evaluated {
  context: RequestContext;
  request: RedeemablesRequest;
  prepared: Prepared;
  settings: StackingSettings;
  evaluation: Evaluation;
}

/** The stored answer of a keyed command that was refused: what the edge makes of the refusal. Null where a repetition runs
 *  the command again. */
export const refusedAnswer = (
  refusal: QualificationRefusal,
  { requestId }: RequestContext,
): StoredAnswer | null => {
  const failure = failureOfRefusal(refusal, [qualificationRefusals]);
  return isKept(failure) ? { status: failure.status, body: renderFailure(failure, requestId) } : null;
};

/** A refusal as a caller gets it: with the text that rules have for the customer, and without what only explanations show.
 *  Source: reference 03 §6.2. */
export const answeredRefusal = ({
  customMessage,
  violations: _,
  ...refusal
}: QualificationRefusal): QualificationRefusal => ({
  ...refusal,
  ...(typeof customMessage === 'string' && customMessage !== '' ? { error: { message: customMessage } } : {}),
});

/** Renders the answers of redeem requests. Source: reference 03 §6.2. */
@Injectable()
export class RedemptionAnswers {
  constructor(
    private readonly renderer: RedemptionRenderer,
    private readonly stored: RecordedAnswers,
  ) {}

  /** Of a redemption that was recorded when its caller could not be answered. */
  recorded(
    context: RequestContext,
    redemptionId: string,
  ): Promise<RedemptionsResponse | QualificationRefusal> {
    return this.stored.answer(context, redemptionId);
  }

  /** Of what is about to be recorded; `streams`: the facts, a stack's parent first. */
  success(
    evaluated: Evaluated,
    plan: RedemptionPlan,
    streams: ReturnType<typeof successFacts>,
  ): RedemptionsResponse {
    const { context, request, prepared, settings } = evaluated;
    const expand = expansionsOf(request);
    const entries = streams.map(({ events: [{ data }] }) => visibleTo(context, data.redemption));
    const shown = {
      customer: isFromBrowser(context) ? null : prepared.customer,
      withOrder: expand.has('order'),
      withMetadata: expand.has('redemption'),
      ...(expand.has('category') ? { categoriesUnder: settings } : {}),
    };
    const rendered = entries.map((entry) => this.renderer.render(context.project, entry, shown));
    const { order } = entries[0]!;
    return {
      redemptions: plan.parentId === null ? rendered : rendered.slice(1),
      ...(plan.parentId === null ? {} : { parent_redemption: rendered[0]! }),
      ...(order ? { order: renderOrder(order) } : {}),
      ...this.leftOut(evaluated),
    };
  }

  /** The redeemables that were not applied. */
  leftOut({ evaluation, request, context, settings }: Evaluated) {
    const expand = expansionsOf(request);
    const shown = (status: EvaluatedRedeemable['calculated']['status']) =>
      evaluation.redeemables
        .filter(({ calculated }) => calculated.status === status)
        .map((evaluated) =>
          renderRedeemable(evaluated, {
            expand,
            isBrowser: isFromBrowser(context),
            settings,
            requestId: context.requestId,
            show: (order) => ({ ...order, customer_id: null, referrer_id: null, metadata: {} }),
          }),
        );
    return { inapplicable_redeemables: shown('INAPPLICABLE'), skipped_redeemables: shown('SKIPPED') };
  }
}
