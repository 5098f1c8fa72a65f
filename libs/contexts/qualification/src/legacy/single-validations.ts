import { Injectable } from '@nestjs/common';
import { type IdSource, isRefused, randomIds, type RequestContext } from '@scrip/kernel';
import type { QualificationRefusal } from '../qualification.refusals';
import { answeredRefusal } from '../redemption/redemption-answers';
import type { RedeemablesRequest } from '../request/redeemables-request';
import { asksForCategories, type SingleCall } from '../request/single-request';
import type { EvaluatedRedeemable } from '../evaluation/evaluate';
import { shownOrder } from '../rendering/shown-order';
import { ValidateHandlers, type Validated } from '../validation/validate.handlers';
import { insufficientContext } from './single-refusal';
import { renderTierValidation, type TierValidationResponse } from './tier-validation.wire';
import {
  renderVoucherValidation,
  type ShownVoucherValidation,
  type VoucherValidationResponse,
} from './voucher-validation.wire';

/** Validates one object as a call for redeemables would, and shows it in the shape of its own call. Source: reference 03 §5.3. */
@Injectable()
export class SingleValidations {
  constructor(private readonly validations: ValidateHandlers) {}

  /** Refuses what lacks for any judgement, and as a validation of redeemables does. `ids`: of the command; they name a session. */
  async voucher(
    context: RequestContext,
    { sent, request }: SingleCall,
    ids: IdSource,
  ): Promise<VoucherValidationResponse | QualificationRefusal> {
    const validated = await this.validated(context, request, ids);
    if (isRefused(validated)) return validated;
    const { evaluated, settings, ...shown } = validated;
    const insufficient = insufficientContext(evaluated);
    return insufficient
      ? answeredRefusal(insufficient)
      : renderVoucherValidation(evaluated, {
          ...shown,
          categoriesUnder: asksForCategories(sent) ? settings : null,
        });
  }

  /** Refuses as a validation of redeemables does. Source: reference 03 §5.4. */
  async tier(
    context: RequestContext,
    { sent, request }: SingleCall,
  ): Promise<TierValidationResponse | QualificationRefusal> {
    const validated = await this.validated(context, request, randomIds);
    if (isRefused(validated)) return validated;
    const { evaluated, settings, ...shown } = validated;
    return renderTierValidation(evaluated, {
      ...shown,
      categoriesUnder: asksForCategories(sent) ? settings : null,
    });
  }

  private async validated(
    context: RequestContext,
    request: RedeemablesRequest,
    ids: IdSource,
  ): Promise<
    | (Omit<ShownVoucherValidation, 'categoriesUnder'> &
        Pick<Validated, 'settings'> & { evaluated: EvaluatedRedeemable })
    | QualificationRefusal
  > {
    const validated = await this.validations.evaluate(context, request, ids);
    if (isRefused(validated)) return validated;
    const { prepared, evaluation, settings, trackingId, session } = validated;
    return {
      evaluated: evaluation.redeemables[0]!,
      settings,
      trackingId,
      session,
      requestId: context.requestId,
      show: shownOrder(prepared, context),
    };
  }
}
