import { Body, Controller, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ContextOf, Ctx, Ids, IsText, Operation, Refusals } from '@scrip/edge';
import { type IdSource, type RequestContext, isRefused } from '@scrip/kernel';
import { IsOptional } from 'class-validator';
import type { QualificationRefusal } from '../qualification.refusals';
import { qualificationRefusals, rollbackRefusals } from '../qualification.refusals';
import { parseRollbackRequest, rollbackRequest } from '../request/rollback-request';
import { RollbackHandlers } from './rollback.handlers';

class RollbackQuery {
  @IsOptional()
  @IsText()
  reason?: string;

  @IsOptional()
  @IsText()
  tracking_id?: string;
}

/** Undoing a single redemption or a whole stack. Source: reference 03 §9. */
@ContextOf('qualification')
@Refusals(qualificationRefusals)
@Controller()
export class RollbackHttp {
  constructor(private readonly handlers: RollbackHandlers) {}

  @Post('v1/redemptions/:redemptionId/rollback')
  @HttpCode(200)
  @Operation({
    id: 'rollBackRedemption',
    refuses: rollbackRefusals,
    links: { getRedemption: { redemptionId: '/id' } },
    summary: 'Undoes a single redemption',
    body: rollbackRequest.schema,
    example: { reason: 'returned' },
    answers: { 200: 'RedemptionEntryResponse' },
  })
  rollBack(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Param('redemptionId') redemptionId: string,
    @Query() query: RollbackQuery,
    @Body() body: unknown,
  ): Promise<object | QualificationRefusal> | QualificationRefusal {
    const request = parseRollbackRequest(body, { ...query });
    return isRefused(request) ? request : this.handlers.rollBack(context, redemptionId, request, ids);
  }

  @Post('v1/redemptions/:parentRedemptionId/rollbacks')
  @HttpCode(200)
  @Operation({
    id: 'rollBackStack',
    refuses: rollbackRefusals,
    links: { getRedemption: { redemptionId: '/rollbacks/0/id' } },
    summary: 'Undoes a whole stack, or a single redemption',
    body: rollbackRequest.schema,
    example: { reason: 'returned' },
    answers: { 200: 'RollbacksResponse' },
  })
  rollBackStack(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Param('parentRedemptionId') redemptionId: string,
    @Query() query: RollbackQuery,
    @Body() body: unknown,
  ): Promise<object | QualificationRefusal> | QualificationRefusal {
    const request = parseRollbackRequest(body, { ...query });
    return isRefused(request) ? request : this.handlers.rollBackStack(context, redemptionId, request, ids);
  }
}
