import { Controller, Get, Param, Query } from '@nestjs/common';
import { ContextOf, Ctx, listOf, Operation } from '@scrip/edge';
import { isRefused, type RequestContext } from '@scrip/kernel';
import { SegmentActivitiesQuery } from './segment-activity-list.query';
import { SegmentActivityReads } from './segment-activity.reads';
import { renderSegmentActivity } from './segment-activity.wire';

/** What became of segments. Source: reference 07 §4. */
@Controller('/v1/segments')
@ContextOf('customers')
export class SegmentActivityHttp {
  constructor(private readonly reads: SegmentActivityReads) {}

  @Get(':segmentId/activities')
  @Operation({
    id: 'listActivitiesOfSegment',
    refuses: ['not_found'],
    summary: 'Lists what became of a segment',
    description: 'Newest first, unless another order is asked for. Follows within seconds.',
    answers: {
      200: { list: 'data', of: 'SegmentActivityResponse', counts: ['has_more', 'more_starting_after'] },
    },
  })
  async list(
    @Ctx() context: RequestContext,
    @Param('segmentId') id: string,
    @Query() query: SegmentActivitiesQuery,
  ) {
    const page = await this.reads.list(context, id, query);
    if (isRefused(page)) return page;
    const last = page.rows.at(-1);
    return listOf('data', page.rows.map(renderSegmentActivity), {
      has_more: page.hasMore,
      ...(page.hasMore && last ? { more_starting_after: last.id } : {}),
    });
  }
}
