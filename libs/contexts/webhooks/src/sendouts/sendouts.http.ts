import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ContextOf,
  Ctx,
  InstantRange,
  IsOneOf,
  IsText,
  LimitQuery,
  Nested,
  Operation,
  Refusals,
  listOf,
  pageOf,
} from '@scrip/edge';
import { type RequestContext, isRefused } from '@scrip/kernel';
import { IsOptional } from 'class-validator';
import { type WebhooksRefusal, webhooksRefusals } from '../webhooks.refusals';
import { SendoutReads } from './sendout.reads';
import { renderSendout, renderSendoutInFull } from './sendout.wire';

const states = ['PENDING', 'DELIVERING', 'SUCCEEDED', 'RETRYING', 'FAILED', 'CANCELED'] as const;

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
  @Nested(() => InstantRange)
  created_at?: InstantRange;

  @IsOptional()
  @IsText()
  starting_after_id?: string;
}

/** The log of deliveries, newest first. Source: reference 06 §5.5. */
@ContextOf('webhooks')
@Refusals(webhooksRefusals)
@Controller('management/v1/projects/:projectId/webhook-sendouts')
export class SendoutsHttp {
  constructor(private readonly sendouts: SendoutReads) {}

  @Get()
  @Operation({
    id: 'listSendouts',
    refuses: [],
    links: { getSendout: { sendoutId: '/data/0/id' }, retrySendout: { sendoutId: '/data/0/id' } },
    summary: 'Lists deliveries, newest first',
    answers: {
      200: { list: 'data', of: 'SendoutResponse', counts: ['has_more', 'more_starting_after'] },
    },
  })
  async list(@Ctx() context: RequestContext, @Query() { limit, ...filters }: SendoutsQuery) {
    const loaded = await this.sendouts.list(context, { ...filters, limit: limit + 1 });
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
    refuses: [],
    links: { retrySendout: { sendoutId: '/id' } },
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
  async retry(
    @Ctx() { project }: RequestContext,
    @Param('sendoutId') id: string,
  ): Promise<object | WebhooksRefusal> {
    const refusal = await this.sendouts.retry(project.id, id);
    if (refusal) return refusal;
    const sendout = await this.sendouts.get(project.id, id);
    return isRefused(sendout) ? sendout : renderSendout(sendout);
  }
}
