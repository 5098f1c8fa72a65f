import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import type { SegmentSnapshot } from '@scrip/contracts/customers';
import { ContextOf, Ctx, Ids, Operation, listOf } from '@scrip/edge';
import { type IdSource, type RequestContext, isRefused } from '@scrip/kernel';
import { storedFilter } from '@scrip/list-query';
import { newSegment } from './new-segment';
import type { SegmentRefusal } from './segment.decider';
import { CreateSegmentBody, UpdateSegmentBody } from './segment.dto';
import { SegmentHandlers } from './segment.handlers';
import { filterMustFit } from './segment-filter';
import { SegmentListQuery } from './segment-list.query';
import { SegmentReads } from './segment.reads';
import { FilterContexts } from '@scrip/metadata';
import { renderMembership, renderSegment } from './segment.wire';

const linksTo = (pointer: string) => ({
  getSegment: { segmentId: pointer },
  listActivitiesOfSegment: { segmentId: pointer },
  updateSegment: { segmentId: pointer },
  deleteSegment: { segmentId: pointer },
});

const answer = (segment: SegmentSnapshot | SegmentRefusal) =>
  isRefused(segment) ? segment : renderSegment(segment);

/** Segments of customers. Source: reference 07 §4. */
@Controller('/v1')
@ContextOf('customers')
export class SegmentHttp {
  constructor(
    private readonly handlers: SegmentHandlers,
    private readonly reads: SegmentReads,
    private readonly filterContexts: FilterContexts,
  ) {}

  @Post('segments')
  @Operation({
    id: 'createSegment',
    refuses: ['not_found'],
    links: linksTo('/id'),
    summary: 'Creates a segment',
    description:
      'A `static` segment takes `customers`, ids of at most 20,000; a `passive` or `auto-update` one takes `filter`. ' +
      'Without `type` it is static where only `customers` are sent, else passive.',
    example: {
      name: 'Londoners',
      type: 'passive',
      filter: { junction: 'and', city: { conditions: { $is: ['London'] } } },
    },
    answers: { 200: 'SegmentResponse' },
  })
  async create(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() body: CreateSegmentBody) {
    const wanted = newSegment(body, await this.filterContexts.now(context, 'customer'));
    if (isRefused(wanted)) return wanted;
    return answer(await this.handlers.create(context, ids.next('seg_', 'segment'), wanted));
  }

  @Get('segments')
  @Operation({
    id: 'listSegments',
    refuses: [],
    links: linksTo('/data/0/id'),
    summary: 'Lists segments',
    answers: { 200: { list: 'data', of: 'SegmentResponse', counts: ['total'] } },
  })
  async list(@Ctx() context: RequestContext, @Query() query: SegmentListQuery) {
    const found = await this.reads.list(context, query);
    return isRefused(found)
      ? found
      : listOf('data', found.segments.map(renderSegment), { total: found.total });
  }

  @Get('segments/:segmentId')
  @Operation({
    id: 'getSegment',
    refuses: [],
    summary: 'Shows a segment',
    answers: { 200: 'SegmentResponse' },
  })
  async get(@Ctx() context: RequestContext, @Param('segmentId') id: string) {
    return answer(await this.reads.find(context, id));
  }

  @Put('segments/:segmentId')
  @Operation({
    id: 'updateSegment',
    refuses: [],
    summary: 'Changes a segment',
    description: 'The filter of a passive segment, and the name of any. What is not sent stays.',
    example: { name: 'Customers in London' },
    answers: { 200: 'SegmentResponse' },
  })
  async update(
    @Ctx() context: RequestContext,
    @Param('segmentId') id: string,
    @Body() { name, filter }: UpdateSegmentBody,
  ) {
    const refusal = filter ? filterMustFit(filter, await this.filterContexts.now(context, 'customer')) : null;
    if (refusal) return refusal;
    const change = { ...(name ? { name } : {}), ...(filter ? { filter: storedFilter(filter) } : {}) };
    return answer(await this.handlers.update(context, id, change));
  }

  @Delete('segments/:segmentId')
  @HttpCode(204)
  @Operation({
    id: 'deleteSegment',
    refuses: ['resource_in_use'],
    summary: 'Deletes a segment that no rule names',
    answers: { 204: null },
  })
  async delete(
    @Ctx() context: RequestContext,
    @Param('segmentId') id: string,
  ): Promise<SegmentRefusal | undefined> {
    const deleted = await this.handlers.delete(context, id);
    return isRefused(deleted) ? deleted : undefined;
  }

  @Get('customers/:customerId/segments')
  @Operation({
    id: 'listSegmentsOfCustomer',
    refuses: [],
    pathExample: { customerId: 'shop-4711' },
    links: linksTo('/data/0/id'),
    summary: 'Lists the segments that a customer belongs to',
    description: 'The customer is named by its id or its source id. An unknown one is no error.',
    answers: { 200: { list: 'data', of: 'MembershipResponse', counts: ['total'] } },
  })
  async ofCustomer(@Ctx() context: RequestContext, @Param('customerId') idOrSourceId: string) {
    const segments = await this.reads.ofCustomer(context, idOrSourceId);
    return listOf('data', segments.map(renderMembership), { total: segments.length });
  }
}
