import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ContextOf, Ctx, type IdempotencyRow, KeyRow, Refusals } from '@scrip/edge';
import { type Refusal, type RequestContext, isRefused } from '@scrip/kernel';
import { qualificationRefusals } from '../qualification.refusals';
import { parseRedeemablesRequest } from '../request/redeemables-request';
import { RedeemHandlers } from './redeem.handlers';

/** Stackable redemption, from servers and, where the project allows it, from browsers. Source: spec 03 §6. */
@ContextOf('qualification')
@Refusals(qualificationRefusals)
@Controller()
export class RedemptionHttp {
  constructor(private readonly handlers: RedeemHandlers) {}

  @Post(['v1/redemptions', 'client/v1/redemptions'])
  @HttpCode(200)
  redeem(
    @Ctx() context: RequestContext,
    @KeyRow() key: IdempotencyRow | null,
    @Body() body: unknown,
  ): Promise<object | Refusal> | Refusal {
    const request = parseRedeemablesRequest(body);
    return isRefused(request) ? request : this.handlers.redeem(context, request, key);
  }
}
