import { Controller, Get, Param, Query } from '@nestjs/common';
import { ContextOf, Ctx, Operation, Refusals } from '@scrip/edge';
import type { RequestContext } from '@scrip/kernel';
import type { QualificationRefusal } from '../qualification.refusals';
import { qualificationRefusals } from '../qualification.refusals';
import { RedemptionListHandlers } from './redemption-list.handlers';
import { ListRedemptionsQuery } from './redemption-list.query';

/** Reading redemptions and rollbacks. Source: reference 03 §10. */
@ContextOf('qualification')
@Refusals(qualificationRefusals)
@Controller('v1/redemptions')
export class RedemptionListHttp {
  constructor(private readonly handlers: RedemptionListHandlers) {}

  @Get()
  @Operation({
    id: 'listRedemptions',
    refuses: [],
    links: { getRedemption: { redemptionId: '/redemptions/0/id' } },
    summary: 'Lists redemptions, failed redemptions and rollbacks',
    description:
      'By pages, or further: `starting_after_id` goes on behind an entry, in the order of creation.',
    answers: { 200: { list: 'redemptions', of: 'RedemptionEntryResponse', counts: ['total'] } },
  })
  list(
    @Ctx() context: RequestContext,
    @Query() query: ListRedemptionsQuery,
  ): Promise<object | QualificationRefusal> {
    return this.handlers.list(context, query);
  }

  @Get(':redemptionId')
  @Operation({
    id: 'getRedemption',
    refuses: [],
    summary: 'Shows a redemption, a failed redemption or a rollback',
    answers: { 200: 'RedemptionEntryResponse' },
  })
  read(
    @Ctx() context: RequestContext,
    @Param('redemptionId') redemptionId: string,
  ): Promise<object | QualificationRefusal> {
    return this.handlers.read(context, redemptionId);
  }
}
