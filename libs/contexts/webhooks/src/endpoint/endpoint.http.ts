import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Put } from '@nestjs/common';
import type { WebhookSnapshot } from '@scrip/contracts/webhooks';
import { ContextOf, Ctx, Ids, IsAnything, IsFlag, IsText, IsTextList, Operation, listOf } from '@scrip/edge';
import { type IdSource, type RequestContext, isRefused } from '@scrip/kernel';
import { SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import { IsOptional } from 'class-validator';
import type { WebhooksRefusal } from '../webhooks.refusals';
import { refuseTargetUrl } from '../delivery/target-url';
import { webhookKinds } from '../public-events/kinds';
import { sentKinds } from '../public-events/sent-kinds';
import { everyKind, subscribedKinds } from '../public-events/subscribed-kinds';
import { customHeaderLimits, customHeaders } from './custom-headers';
import type { EndpointChange } from './endpoint.decider';
import { EndpointHandlers } from './endpoint.handlers';
import { renderWebhook } from './endpoint.wire';

class WebhookBody {
  @IsText()
  target_url: string;

  @IsTextList({
    max: 1_000,
    told: [...webhookKinds, everyKind],
    description:
      `Kinds to send; \`*\`: all, also those to come. Sent today: ${sentKinds.map(({ kind }) => kind).join(', ')}. ` +
      'The others are sent once what they tell of is served.',
  })
  events: string[];

  @IsOptional()
  @IsFlag()
  active?: boolean;

  @IsOptional()
  @IsAnything({
    type: 'object',
    description: 'Headers to send along: secrets, never shown again. Absent keeps those there are.',
    additionalProperties: { type: 'string', maxLength: customHeaderLimits.valueLength },
    maxProperties: customHeaderLimits.count,
  })
  headers?: unknown;
}

const webhookExample = {
  target_url: 'https://shop.example.com/hooks',
  events: ['redemption.succeeded', 'redemption.failed'],
};

const answer = (webhook: WebhookSnapshot | WebhooksRefusal) =>
  isRefused(webhook) ? webhook : renderWebhook(webhook);

/** Management of webhooks. Source: reference 06 §6.1. */
@ContextOf('webhooks')
@Controller('management/v1/projects/:projectId/webhooks')
export class EndpointHttp {
  constructor(
    private readonly endpoints: EndpointHandlers,
    @Inject(SCRIP_CONFIG) private readonly config: ScripConfig,
  ) {}

  @Post()
  @Operation({
    id: 'createWebhook',
    links: {
      getWebhook: { webhookId: '/id' },
      updateWebhook: { webhookId: '/id' },
      deleteWebhook: { webhookId: '/id' },
    },
    summary: 'Adds a webhook endpoint',
    example: webhookExample,
    answers: { 200: 'WebhookResponse' },
  })
  async create(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() body: WebhookBody) {
    const change = this.changeOf(body);
    if (isRefused(change)) return change;
    return answer(await this.endpoints.create(context, { ...change, id: ids.next('wh_', 'webhook') }));
  }

  @Get()
  @Operation({
    id: 'listWebhooks',
    links: {
      getWebhook: { webhookId: '/data/0/id' },
      updateWebhook: { webhookId: '/data/0/id' },
      deleteWebhook: { webhookId: '/data/0/id' },
    },
    summary: 'Lists webhook endpoints',
    answers: { 200: { list: 'data', of: 'WebhookResponse', counts: ['total'] } },
  })
  async list(@Ctx() context: RequestContext) {
    const webhooks = await this.endpoints.list(context);
    return listOf('data', webhooks.map(renderWebhook), { total: webhooks.length });
  }

  @Get(':webhookId')
  @Operation({ id: 'getWebhook', summary: 'Shows a webhook endpoint', answers: { 200: 'WebhookResponse' } })
  async get(@Ctx() context: RequestContext, @Param('webhookId') id: string) {
    return answer(await this.endpoints.get(context, id));
  }

  @Put(':webhookId')
  @Operation({
    id: 'updateWebhook',
    example: webhookExample,
    summary: 'Changes a webhook endpoint',
    answers: { 200: 'WebhookResponse' },
  })
  async update(@Ctx() context: RequestContext, @Param('webhookId') id: string, @Body() body: WebhookBody) {
    const known = await this.endpoints.get(context, id);
    if (isRefused(known)) return known;
    const change = this.changeOf(body);
    return isRefused(change) ? change : answer(await this.endpoints.update(context, { ...change, id }));
  }

  @Delete(':webhookId')
  @HttpCode(204)
  @Operation({ id: 'deleteWebhook', summary: 'Removes a webhook endpoint', answers: { 204: null } })
  async delete(
    @Ctx() context: RequestContext,
    @Param('webhookId') id: string,
  ): Promise<WebhooksRefusal | undefined> {
    const deleted = await this.endpoints.delete(context, id);
    return isRefused(deleted) ? deleted : undefined;
  }

  private changeOf({
    target_url,
    events,
    active,
    headers,
  }: WebhookBody): (EndpointChange & { headers: Record<string, string> | undefined }) | WebhooksRefusal {
    const badUrl = refuseTargetUrl(target_url, this.config.webhookEgress);
    if (badUrl) return badUrl;
    const subscribed = subscribedKinds(events);
    if (isRefused(subscribed)) return subscribed;
    const custom = headers == null ? { headers: undefined } : customHeaders(headers);
    if (isRefused(custom)) return custom;
    return { target_url, events: subscribed.kinds, active: active ?? undefined, headers: custom.headers };
  }
}
