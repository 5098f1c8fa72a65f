import { Controller, Get, Param, Query } from '@nestjs/common';
import { ContextOf, Ctx, EndDateQuery, Operation, listOf, pageOf } from '@scrip/edge';
import { type RequestContext, isRefused } from '@scrip/kernel';
import { renderAction, renderListedAction } from './async-action.wire';
import { ReportLinks } from '../links/links.providers';
import { AsyncActions } from './async-actions.reads';

/** Background tasks. Source: reference 07 §10. */
@Controller('/v1/async-actions')
@ContextOf('operations')
export class AsyncActionsHttp {
  constructor(
    private readonly actions: AsyncActions,
    private readonly links: ReportLinks,
  ) {}

  @Get()
  @Operation({
    id: 'listAsyncActions',
    links: { getAsyncAction: { asyncActionId: '/async_actions/0/id' } },
    summary: 'Lists background tasks, newest first',
    answers: { 200: { list: 'async_actions', of: 'ListedActionResponse', counts: ['has_more'] } },
  })
  async list(@Ctx() context: RequestContext, @Query() { limit, end_date }: EndDateQuery) {
    const loaded = await this.actions.list(context, { limit, endDate: end_date });
    const { items, hasMore } = pageOf(loaded, limit);
    return listOf('async_actions', items.map(renderListedAction), { has_more: hasMore });
  }

  @Get(':asyncActionId')
  @Operation({
    id: 'getAsyncAction',
    links: { downloadTaskResult: { id: '/id' } },
    summary: 'Shows a background task with its result',
    answers: { 200: 'ActionResponse' },
  })
  async get(@Ctx() context: RequestContext, @Param('asyncActionId') id: string) {
    const action = await this.actions.find(context, id);
    if (isRefused(action)) return action;
    return renderAction(action, this.links.of({ projectId: context.project.id, id }));
  }
}
