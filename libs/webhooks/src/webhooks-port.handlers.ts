import { Injectable } from '@nestjs/common';
import type { WebhooksPort } from '@scrip/contracts';
import type { RequestContext } from '@scrip/kernel';
import { WebhookTokens } from './token/webhook-tokens';

/** Answers other contexts. */
@Injectable()
export class WebhooksPortHandlers implements WebhooksPort {
  constructor(private readonly tokens: WebhookTokens) {}

  async webhookToken({ project }: RequestContext, _request: null): Promise<{ webhook_token: string }> {
    const [token] = await this.tokens.of(project.id);
    return { webhook_token: token };
  }
}
