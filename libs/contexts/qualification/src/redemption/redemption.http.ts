import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ContextOf, Ctx, type IdempotencyRow, KeyRow, Operation, Refusals } from '@scrip/edge';
import { type RequestContext, isRefused } from '@scrip/kernel';
import type { QualificationRefusal } from '../qualification.refusals';
import { qualificationRefusals, requestRefusals } from '../qualification.refusals';
import {
  parseRedeemablesRequest,
  redeemablesExample,
  redeemablesRequest,
} from '../request/redeemables-request';
import { redeemedStoredOrder } from '../rendering/stored-order-header';
import { RedeemHandlers } from './redeem.handlers';

/** Stackable redemption, from servers and, where the project allows it, from browsers. Source: reference 03 §6. */
@ContextOf('qualification')
@Refusals(qualificationRefusals)
@Controller()
export class RedemptionHttp {
  constructor(private readonly handlers: RedeemHandlers) {}

  @Post(['v1/redemptions', 'client/v1/redemptions'])
  @HttpCode(200)
  @Operation({
    id: 'redeem',
    refuses: requestRefusals,
    links: {
      getRedemption: { redemptionId: '/redemptions/0/id' },
      rollBackRedemption: { redemptionId: '/redemptions/0/id' },
      rollBackStack: { parentRedemptionId: '/redemptions/0/id' },
    },
    summary: 'Redeems up to 30 redeemables together',
    description:
      'All of them or none. Send an `Idempotency-Key`, so that a repetition after a lost answer redeems nothing again.',
    header: redeemedStoredOrder,
    body: redeemablesRequest.schema,
    example: redeemablesExample,
    answers: { 200: 'RedemptionsResponse' },
  })
  redeem(
    @Ctx() context: RequestContext,
    @KeyRow() key: IdempotencyRow | null,
    @Body() body: unknown,
  ): Promise<object | QualificationRefusal> | QualificationRefusal {
    const request = parseRedeemablesRequest(body);
    return isRefused(request) ? request : this.handlers.redeem(context, request, key);
  }
}
