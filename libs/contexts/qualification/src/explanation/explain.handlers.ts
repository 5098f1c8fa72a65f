import { Injectable } from '@nestjs/common';
import {
  type BusinessClock,
  isRefused,
  notFound,
  type RequestContext,
  randomIds,
  refuse,
} from '@scrip/kernel';
import { explainRequest } from '@scrip/order-preview';
import { InjectBusinessClock } from '@scrip/service';
import { renderOrder } from '@scrip/wire/customers';
import { redeemerOf } from '../limits/redeemer';
import { RequestCounters } from '../limits/request-counters';
import { RedemptionReads } from '../redemption/redemption.reads';
import type { QualificationRefusal } from '../qualification.refusals';
import type { RedeemablesRequest } from '../request/redeemables-request';
import { type EvaluatedRedeemable, evaluationRequest } from '../evaluation/evaluate';
import { RedemptionMetadata } from '../evaluation/redemption-metadata';
import { evaluatedRequest, Preparation } from '../evaluation/preparation';
import { ProjectSettings } from '../evaluation/project-settings';
import { shownOrder } from '../rendering/shown-order';
import type { ExplanationRequest } from './explanation-request';
import {
  type ExplanationResponse,
  type FailureExplanationResponse,
  renderExplained,
  renderFailureExplanation,
} from './explanation.wire';

/** Explains what a validation would answer, and why redemptions failed. Changes nothing. Source: reference 03 §5.5. */
@Injectable()
export class ExplainHandlers {
  constructor(
    private readonly preparation: Preparation,
    private readonly settings: ProjectSettings,
    private readonly redemptions: RedemptionReads,
    private readonly counters: RequestCounters,
    private readonly metadata: RedemptionMetadata,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {}

  /** Refuses as a validation does; for a redemption `not_found`, and `invalid_payload` for one that did not fail. */
  explain(
    context: RequestContext,
    asked: ExplanationRequest,
  ): Promise<ExplanationResponse | FailureExplanationResponse | QualificationRefusal> {
    return 'request' in asked
      ? this.ofRequest(context, asked.request, asked.at ?? this.clock.now(context.project))
      : this.ofFailure(context, asked.redemptionId);
  }

  private async ofRequest(
    context: RequestContext,
    request: RedeemablesRequest,
    now: Date,
  ): Promise<ExplanationResponse | QualificationRefusal> {
    const misfit = await this.metadata.refusalOf(context, request);
    if (misfit) return misfit;
    const prepared = await this.preparation.prepare(context, request, randomIds, { store: false });
    if (isRefused(prepared)) return prepared;
    const settings = await this.settings.stackingOf(context);
    const asked = evaluationRequest(
      evaluatedRequest(context, prepared, { settings, now, usesAreClaimed: false }),
    );
    const counts = await this.counters.of(context, asked, redeemerOf(context, prepared.customer));
    const { calculation, traces } = explainRequest(counts.in(asked));
    const { valid, order } = calculation;
    return {
      object: 'explanation',
      at: now.toISOString(),
      valid,
      redeemables: traces.map((trace, index) =>
        renderExplained(
          trace,
          calculation.redeemables[index]! as EvaluatedRedeemable['calculated'],
          context.requestId,
        ),
      ),
      ...(valid && order ? { order: renderOrder(shownOrder(prepared, context)(order)) } : {}),
    };
  }

  private async ofFailure(
    context: RequestContext,
    id: string,
  ): Promise<FailureExplanationResponse | QualificationRefusal> {
    const found = await this.redemptions.redemption(context, id);
    if (!found) return notFound('redemption', id);
    return found.redemption.result === 'FAILURE'
      ? renderFailureExplanation(found.redemption)
      : refuse('invalid_payload', `Redemption ${id} did not fail`);
  }
}
