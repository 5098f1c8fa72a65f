import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { type TokenRow, WebhookTokens, tokenColumns } from '../token/webhook-tokens';
import { WebhookSecrets } from '../webhook-secrets';
import type { Lane } from './lane';
import { signatureHeaders } from './signature';

/** The only webhook version. Source: reference 06 §2. */
export const webhookVersion = 'v2024-01-01';

/** The current target and headers of an endpoint's deliveries. */
export interface DeliveryTarget {
  targetUrl: string;
  /** Headers of one attempt. */
  headers(sendoutId: string, body: string, attemptedAt: Date): Record<string, string>;
}

interface TargetRow extends Omit<TokenRow, 'sealed'> {
  target_url: string;
  sealed_headers: string | null;
  /** Null before the project's token was read. */
  sealed: string | null;
}

/** Reads what an attempt needs of its endpoint and project. */
@Injectable()
export class DeliveryTargets {
  constructor(
    @InjectDataSource('webhooks') private readonly database: DataSource,
    private readonly tokens: WebhookTokens,
    private readonly secrets: WebhookSecrets,
  ) {}

  async of({ projectId, webhookId }: Lane): Promise<DeliveryTarget> {
    const [row] = await this.database.query<TargetRow[]>(
      `SELECT e.target_url, h.sealed AS sealed_headers, t.sealed, t.previous_sealed
       FROM endpoints e
       LEFT JOIN endpoint_headers h ON h.project_id = e.project_id AND h.webhook_id = e.id
       LEFT JOIN (SELECT project_id, ${tokenColumns} FROM webhook_tokens) t ON t.project_id = e.project_id
       WHERE e.project_id = $1 AND e.id = $2`,
      [projectId, webhookId],
    );
    if (!row) throw new Error(`webhook ${webhookId} has sendouts but does not exist`);
    const { sealed, sealed_headers: headers } = row;
    const tokens =
      sealed === null ? await this.tokens.of(projectId) : this.tokens.opened(projectId, { ...row, sealed });
    const custom = headers === null ? {} : this.secrets.openHeaders(projectId, webhookId, headers);
    return {
      targetUrl: row.target_url,
      headers: (sendoutId, body, attemptedAt) => ({
        ...custom,
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Scrip-Webhooks/1.0',
        'X-Service-Webhook-Version': webhookVersion,
        ...signatureHeaders(sendoutId, body, attemptedAt, tokens),
      }),
    };
  }
}
