import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ContextOf,
  Ctx,
  IsDateInput,
  IsOneOf,
  IsText,
  LimitQuery,
  Nested,
  Operation,
  Refusals,
  listOf,
  pageOf,
} from '@scrip/edge';
import { type Refusal, type RequestContext, isRefused } from '@scrip/kernel';
import { IsOptional } from 'class-validator';
import { SendoutQueries } from './sendout.queries';
import { renderSendout, renderSendoutInFull } from './sendout.wire';

const states = ['PENDING', 'DELIVERING', 'SUCCEEDED', 'RETRYING', 'FAILED', 'CANCELED'] as const;

class CreatedQuery {
  @IsOptional()
  @IsDateInput()
  before?: string;

  @IsOptional()
  @IsDateInput()
  after?: string;
}

class SendoutsQuery extends LimitQuery {
  @IsOptional()
  @IsOneOf(states)
  status?: (typeof states)[number];

  @IsOptional()
  @IsText()
  type?: string;

  @IsOptional()
  @IsText()
  source_id?: string;

  @IsOptional()
  @IsText()
  event_id?: string;

  @IsOptional()
  @Nested(() => CreatedQuery)
  created_at?: CreatedQuery;

  @IsOptional()
  @IsText()
  starting_after_id?: string;
}

/** The log of deliveries, newest first. Source: spec 06 §5.5. */
@ContextOf('webhooks')
@Refusals({
  sendout_in_delivery: { status: 409, message: 'Sendout is being delivered' },
  webhook_inactive: { status: 409, message: 'Webhook is not active' },
  payload_expired: { status: 409, message: 'Payload is no longer stored' },
})
@Controller('management/v1/projects/:projectId/webhook-sendouts')
export class SendoutsHttp {
  constructor(private readonly sendouts: SendoutQueries) {}

  @Get()
  @Operation({
    id: 'listSendouts',
    summary: 'Lists deliveries, newest first',
    answers: {
      200: { list: 'data', of: 'SendoutResponse', counts: ['has_more', 'more_starting_after'] },
    },
  })
  async list(@Ctx() { project }: RequestContext, @Query() { limit, ...filters }: SendoutsQuery) {
    const loaded = await this.sendouts.list(project.id, { ...filters, limit: limit + 1 });
    if (isRefused(loaded)) return loaded;
    const { items, hasMore } = pageOf(loaded, limit);
    const last = items.at(-1);
    return listOf('data', items.map(renderSendout), {
      has_more: hasMore,
      ...(hasMore && last ? { more_starting_after: last.id } : {}),
    });
  }

  @Get(':sendoutId')
  @Operation({
    id: 'getSendout',
    summary: 'Shows a delivery with its payload and attempts',
    answers: { 200: 'FullSendoutResponse' },
  })
  async get(@Ctx() { project }: RequestContext, @Param('sendoutId') id: string) {
    const sendout = await this.sendouts.get(project.id, id);
    return isRefused(sendout) ? sendout : renderSendoutInFull(sendout);
  }

  /** One immediate attempt, with the same id and body. */
  @Post(':sendoutId/retry')
  @HttpCode(202)
  @Operation({
    id: 'retrySendout',
    summary: 'Sends a delivery again, at once',
    answers: { 202: 'SendoutResponse' },
  })
  async retry(@Ctx() { project }: RequestContext, @Param('sendoutId') id: string): Promise<object | Refusal> {
    const refusal = await this.sendouts.retry(project.id, id);
    if (refusal) return refusal;
    const sendout = await this.sendouts.get(project.id, id);
    return isRefused(sendout) ? sendout : renderSendout(sendout);
  }
}
