import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ContextOf, Ctx, Ids, Operation, Refusals } from '@scrip/edge';
import { type IdSource, type RequestContext, isRefused } from '@scrip/kernel';
import type { QualificationRefusal } from '../qualification.refusals';
import { qualificationRefusals, requestRefusals } from '../qualification.refusals';
import {
  parseRedeemablesRequest,
  redeemablesExample,
  redeemablesRequest,
} from '../request/redeemables-request';
import { validatedStoredOrder } from '../rendering/stored-order-header';
import { ValidateHandlers } from './validate.handlers';

/** Stackable validation, from servers and from browsers. Source: reference 03 §5.1, §5.2. */
@ContextOf('qualification')
@Refusals(qualificationRefusals)
@Controller()
export class ValidationHttp {
  constructor(private readonly handlers: ValidateHandlers) {}

  @Post(['v1/validations', 'client/v1/validations'])
  @HttpCode(200)
  @Operation({
    id: 'validate',
    refuses: requestRefusals,
    links: { releaseValidationSession: { code: '/redeemables/0/id', sessionKey: '/session/key' } },
    summary: 'Tells what redeemables would do, and holds them for a session where one is sent',
    header: validatedStoredOrder,
    body: redeemablesRequest.schema,
    example: redeemablesExample,
    answers: { 200: 'ValidationResponse' },
  })
  validate(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Body() body: unknown,
  ): Promise<object | QualificationRefusal> | QualificationRefusal {
    const request = parseRedeemablesRequest(body);
    return isRefused(request) ? request : this.handlers.validate(context, request, ids);
  }
}
