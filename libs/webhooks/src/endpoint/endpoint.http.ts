import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Put } from '@nestjs/common';
import type { WebhookSnapshot } from '@scrip/contracts';
import { ContextOf, Ctx, Ids, IsAnything, IsFlag, IsText, IsTextList, listOf } from '@scrip/edge';
import { type IdSource, type Refusal, type RequestContext, isRefused } from '@scrip/kernel';
import { SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import { IsOptional } from 'class-validator';
import { refuseTargetUrl } from '../delivery/target-url';
import { subscribedKinds } from '../public-events/subscribed-kinds';
import { customHeaders } from './custom-headers';
import type { EndpointChange } from './endpoint.decider';
import { EndpointHandlers } from './endpoint.handlers';

class WebhookBody {
  @IsText()
  target_url: string;

  @IsTextList({ max: 1_000 })
  events: string[];

  @IsOptional()
  @IsFlag()
  active?: boolean;

  @IsOptional()
  @IsAnything()
  headers?: unknown;
}

const rendered = ({ id, created_at, target_url, events, active }: WebhookSnapshot) => ({
  id,
  object: 'webhook' as const,
  created_at,
  target_url,
  events,
  active,
});

const answer = (webhook: WebhookSnapshot | Refusal) => (isRefused(webhook) ? webhook : rendered(webhook));

/** Management of webhooks. Source: spec 06 §6.1. */
@ContextOf('webhooks')
@Controller('management/v1/projects/:projectId/webhooks')
export class EndpointHttp {
  constructor(
    private readonly endpoints: EndpointHandlers,
    @Inject(SCRIP_CONFIG) private readonly config: ScripConfig,
  ) {}

  @Post()
  async create(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() body: WebhookBody) {
    const change = this.changeOf(body);
    if (isRefused(change)) return change;
    return answer(await this.endpoints.create(context, { ...change, id: ids.next('wh_', 'webhook') }));
  }

  @Get()
  async list(@Ctx() context: RequestContext) {
    const webhooks = await this.endpoints.list(context);
    return listOf('data', webhooks.map(rendered), { total: webhooks.length });
  }

  @Get(':webhookId')
  async get(@Ctx() context: RequestContext, @Param('webhookId') id: string) {
    return answer(await this.endpoints.get(context, id));
  }

  @Put(':webhookId')
  async update(@Ctx() context: RequestContext, @Param('webhookId') id: string, @Body() body: WebhookBody) {
    const known = await this.endpoints.get(context, id);
    if (isRefused(known)) return known;
    const change = this.changeOf(body);
    return isRefused(change) ? change : answer(await this.endpoints.update(context, { ...change, id }));
  }

  @Delete(':webhookId')
  @HttpCode(204)
  async delete(@Ctx() context: RequestContext, @Param('webhookId') id: string): Promise<Refusal | undefined> {
    const deleted = await this.endpoints.delete(context, id);
    return isRefused(deleted) ? deleted : undefined;
  }

  private changeOf({
    target_url,
    events,
    active,
    headers,
  }: WebhookBody): (EndpointChange & { headers: Record<string, string> | undefined }) | Refusal {
    const badUrl = refuseTargetUrl(target_url, this.config.webhookEgress);
    if (badUrl) return badUrl;
    const subscribed = subscribedKinds(events);
    if (isRefused(subscribed)) return subscribed;
    const custom = headers == null ? { headers: undefined } : customHeaders(headers);
    if (isRefused(custom)) return custom;
    return { target_url, events: subscribed.kinds, active: active ?? undefined, headers: custom.headers };
  }
}
