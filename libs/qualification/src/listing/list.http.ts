import { Controller, Get, Param, Query } from '@nestjs/common';
import { ContextOf, Ctx, Refusals } from '@scrip/edge';
import type { Refusal, RequestContext } from '@scrip/kernel';
import { qualificationRefusals } from '../qualification.refusals';
import { ListHandlers } from './list.handlers';
import { ListRedemptionsQuery } from './list-query';

/** Reading redemptions and rollbacks. Source: spec 03 §10. */
@ContextOf('qualification')
@Refusals(qualificationRefusals)
@Controller('v1/redemptions')
export class ListHttp {
  constructor(private readonly handlers: ListHandlers) {}

  @Get()
  list(@Ctx() context: RequestContext, @Query() query: ListRedemptionsQuery): Promise<object | Refusal> {
    return this.handlers.list(context, query);
  }

  @Get(':redemptionId')
  read(
    @Ctx() context: RequestContext,
    @Param('redemptionId') redemptionId: string,
  ): Promise<object | Refusal> {
    return this.handlers.read(context, redemptionId);
  }
}
