import { Controller, Get, Param, Query } from '@nestjs/common';
import { ContextOf, Ctx, Operation, listOf } from '@scrip/edge';
import { type RequestContext, isRefused } from '@scrip/kernel';
import { ActivitiesListQuery, ActivityListQuery } from './activity-list.query';
import { ActivityReads } from './activity.reads';

/** What customers did. Source: reference 06 §8. */
@Controller('/v1/customers')
@ContextOf('customers')
export class ActivityHttp {
  constructor(private readonly reads: ActivityReads) {}

  @Get(':customerId/activity')
  @Operation({
    id: 'listActivityOfCustomer',
    refuses: ['not_found'],
    pathExample: { customerId: 'shop-4711' },
    summary: 'Lists what a customer did and what became of it',
    description:
      'Newest first, unless another order is asked for. `data.data` depends on the type. Follows within seconds.',
    answers: { 200: { list: 'data', of: 'ActivityResponse', counts: ['has_more', 'more_starting_after'] } },
  })
  async list(
    @Ctx() context: RequestContext,
    @Param('customerId') idOrSourceId: string,
    @Query() query: ActivityListQuery,
  ) {
    const page = await this.reads.list(context, idOrSourceId, query, false);
    if (isRefused(page)) return page;
    const last = page.entries.at(-1);
    return listOf('data', page.entries, {
      has_more: page.hasMore,
      ...(page.hasMore && last ? { more_starting_after: last.id } : {}),
    });
  }

  @Get(':customerId/activities')
  @Operation({
    id: 'listActivitiesOfCustomer',
    refuses: ['not_found'],
    pathExample: { customerId: 'shop-4711' },
    summary: 'Lists what a customer did, deprecated',
    description: 'Deprecated: use GET /v1/customers/{customerId}/activity.',
    answers: { 200: { list: 'data', of: 'CountedActivityResponse', counts: ['total'] } },
  })
  async listCounted(
    @Ctx() context: RequestContext,
    @Param('customerId') idOrSourceId: string,
    @Query() query: ActivitiesListQuery,
  ) {
    const page = await this.reads.list(context, idOrSourceId, query, true);
    return isRefused(page) ? page : listOf('data', page.entries, { total: page.total });
  }
}
