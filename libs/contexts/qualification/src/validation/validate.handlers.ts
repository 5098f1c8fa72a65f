import { Injectable } from '@nestjs/common';
import {
  beginningOf,
  isFromBrowser,
  type BusinessClock,
  type IdSource,
  type RequestContext,
  isRefused,
  newId,
  randomIds,
} from '@scrip/kernel';
import type { CalculatedOrder, StackingSettings } from '@scrip/order-calculation';
import { InjectBusinessClock } from '@scrip/service';
import { renderOrder } from '@scrip/wire/customers';
import type { QualificationRefusal } from '../qualification.refusals';
import { type RedeemablesRequest, expansionsOf } from '../request/redeemables-request';
import { establishedBy, type Session } from '../session/session';
import { SessionHolds } from '../session/session-holds';
import { type Candidate, type Evaluation, evaluate, evaluationRequest } from '../evaluation/evaluate';
import { redeemerOf } from '../limits/redeemer';
import { RequestCounters } from '../limits/request-counters';
import { RedemptionMetadata } from '../evaluation/redemption-metadata';
import { evaluatedRequest, Preparation, type Prepared } from '../evaluation/preparation';
import { ProjectSettings } from '../evaluation/project-settings';
import { renderRedeemable } from '../rendering/rendered-redeemable';
import { shownOrder } from '../rendering/shown-order';
import { renderStackingRules } from '../rendering/stacking-rules';
import { answeredTrackingId } from '../tracking/identity-of-request';
import type { TrackingIds } from '@scrip/wire/qualification';
import { InjectTrackingIds } from '../tracking/tracking-id.provider';
import type { ValidationResponse } from './validation.wire';
import { type ValidationRecord, ValidationLog } from './validation-log';

const totalsOf = ({ items: _, ...totals }: CalculatedOrder) => totals;

/** No code or id is longer, and what was sent as one may be. */
const longestName = 512;

const recordOf = (
  context: RequestContext,
  { id, at, evaluation, prepared }: { id: string; at: Date; evaluation: Evaluation; prepared: Prepared },
): ValidationRecord => ({
  project_id: context.project.id,
  id,
  created_at: at.toISOString(),
  request_id: context.requestId,
  valid: evaluation.valid,
  customer_id: prepared.customer?.id || null,
  redeemables: evaluation.redeemables.map(({ id: redeemableId, object, described, calculated }) => ({
    object,
    id: beginningOf(redeemableId, longestName),
    campaign_id: described?.campaignId ?? null,
    status: calculated.status,
    ...(calculated.status === 'INAPPLICABLE' ? { key: calculated.refusal.refused } : {}),
    ...(calculated.status === 'SKIPPED' ? { key: calculated.reason } : {}),
  })),
  totals: evaluation.order && totalsOf(evaluation.order),
});

/** A request with what became of it. `trackingId` null: the caller is not told. */
export interface Validated {
  id: string;
  prepared: Prepared;
  evaluation: Evaluation;
  settings: StackingSettings;
  trackingId: string | null;
  /** What the validation establishes where it is valid. */
  session: Session | null;
}

/** Validates redeemables against a customer and an order; changes nothing but what a session holds. Source: reference 03 §4, §5, §8. */
@Injectable()
export class ValidateHandlers {
  constructor(
    private readonly preparation: Preparation,
    private readonly settings: ProjectSettings,
    private readonly counters: RequestCounters,
    private readonly log: ValidationLog,
    private readonly sessions: SessionHolds,
    private readonly metadata: RedemptionMetadata,
    @InjectTrackingIds() private readonly tracking: TrackingIds,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {}

  /** What applies and what would come of it, also where nothing does. Refuses what makes the whole call senseless:
   *  metadata that the project's schema does not admit, an unknown customer or order, an order that cannot be calculated
   *  with. `ids`: of the command; they name a session. */
  async validate(
    context: RequestContext,
    request: RedeemablesRequest,
    ids: IdSource = randomIds,
  ): Promise<ValidationResponse | QualificationRefusal> {
    const validated = await this.evaluate(context, request, ids);
    return isRefused(validated) ? validated : this.answer(context, request, validated);
  }

  /** The same before it is rendered. Refuses as `validate`. */
  async evaluate(
    context: RequestContext,
    request: RedeemablesRequest,
    ids: IdSource,
  ): Promise<Validated | QualificationRefusal> {
    const misfit = await this.metadata.refusalOf(context, request);
    if (misfit) return misfit;
    const session = establishedBy(request.session, ids);
    // What the session holds already does not count, also where its key was made before and not sent.
    const known = session ? { ...request, session } : request;
    const prepared = await this.preparation.prepare(context, known, randomIds, { store: false });
    if (isRefused(prepared)) return prepared;
    const now = this.clock.now(context.project);
    const settings = await this.settings.stackingOf(context);
    const evaluated = evaluatedRequest(context, prepared, { settings, now, usesAreClaimed: false });
    const redeemer = redeemerOf(context, prepared.customer);
    const counts = await this.counters.of(context, evaluationRequest(evaluated), redeemer);
    const again = (candidates: readonly Candidate[]) => evaluate({ ...evaluated, candidates }, counts);
    const first = again(prepared.candidates);
    const evaluation = session
      ? await this.sessions.establish(
          context,
          { session, now },
          { evaluation: first, candidates: prepared.candidates },
          again,
        )
      : first;
    const id = newId('valid_');
    this.log.add(recordOf(context, { id, at: now, evaluation, prepared }));
    const trackingId = answeredTrackingId(this.tracking, context, request, prepared.customer);
    return { id, prepared, evaluation, settings, trackingId, session };
  }

  private answer(
    context: RequestContext,
    request: RedeemablesRequest,
    { id, prepared, evaluation, settings, trackingId, session }: Validated,
  ): ValidationResponse {
    const show = shownOrder(prepared, context);
    const { requestId } = context;
    const expand = expansionsOf(request);
    const options = { expand, isBrowser: isFromBrowser(context), settings, requestId, show };
    const all = evaluation.redeemables.map((evaluated) => renderRedeemable(evaluated, options));
    const applicable = all.filter(({ status }) => status === 'APPLICABLE');
    const inapplicable = all.filter(({ status }) => status === 'INAPPLICABLE');
    const skipped = all.filter(({ status }) => status === 'SKIPPED');
    return {
      id,
      valid: evaluation.valid,
      redeemables: evaluation.valid ? applicable : all,
      ...(skipped.length > 0 ? { skipped_redeemables: skipped } : {}),
      ...(inapplicable.length > 0 ? { inapplicable_redeemables: inapplicable } : {}),
      ...(evaluation.valid && evaluation.order ? { order: renderOrder(show(evaluation.order)) } : {}),
      ...(trackingId === null ? {} : { tracking_id: trackingId }),
      ...(evaluation.valid && session ? { session } : {}),
      stacking_rules: renderStackingRules(settings),
    };
  }
}
