import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ContextOf, Ctx, Refusals } from '@scrip/edge';
import { type Refusal, type RequestContext, isRefused } from '@scrip/kernel';
import { qualificationRefusals } from '../qualification.refusals';
import { parseRedeemablesRequest } from '../request/redeemables-request';
import { ValidateHandlers } from './validate.handlers';

/** Stackable validation, from servers and from browsers. Source: spec 03 §5.1, §5.2. */
@ContextOf('qualification')
@Refusals(qualificationRefusals)
@Controller()
export class ValidationHttp {
  constructor(private readonly handlers: ValidateHandlers) {}

  @Post(['v1/validations', 'client/v1/validations'])
  @HttpCode(200)
  validate(@Ctx() context: RequestContext, @Body() body: unknown): Promise<object | Refusal> | Refusal {
    const request = parseRedeemablesRequest(body);
    return isRefused(request) ? request : this.handlers.validate(context, request);
  }
}
