import { Injectable } from '@nestjs/common';
import type { WebhooksPort } from '@scrip/contracts/webhooks';
import { WebhookTokens } from './token/webhook-tokens';

/** What other contexts ask of webhooks. Source: architecture §7. */
@Injectable()
export class WebhooksPortHandlers implements WebhooksPort {
  constructor(private readonly tokens: WebhookTokens) {}

  webhookToken: WebhooksPort['webhookToken'] = async ({ project }) => {
    const [token] = await this.tokens.of(project.id);
    return { webhook_token: token };
  };

  webhookTokens: WebhooksPort['webhookTokens'] = async (_, { project_ids }) => ({
    webhook_tokens: await this.tokens.newestOf(project_ids),
  });
}
