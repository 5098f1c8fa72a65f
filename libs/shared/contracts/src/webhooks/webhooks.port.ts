import { type CallContext, definePort, type RequestContext } from '@scrip/kernel';

/** What other contexts and the bootstrap may ask of webhooks. */
export interface WebhooksPort {
  /** The project's signing token `whsec_…`, made on first asking. Secret: shown once to its owner, never logged.
   *  Source: reference 06 §5.1. */
  webhookToken(context: RequestContext, request: null): Promise<{ webhook_token: string }>;

  /** The same of many projects, by their ids. */
  webhookTokens(
    context: CallContext,
    request: { project_ids: string[] },
  ): Promise<{ webhook_tokens: Record<string, string> }>;
}

export const webhooksPort = definePort<WebhooksPort>('webhooks', ['webhookToken', 'webhookTokens']);
