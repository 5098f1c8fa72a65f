import { Inject, Injectable } from '@nestjs/common';
import type { Keyring } from '@scrip/kernel';
import { purposeRing, SCRIP_CONFIG, type ScripConfig, type SealedColumn } from '@scrip/service';

const purpose = 'webhook-secrets';
const tokenOf = (projectId = ''): string => `token:${projectId}`;
const headersOf = (projectId = '', webhookId = ''): string => `headers:${projectId}:${webhookId}`;

const tokens = { table: 'webhook_tokens', id: ['project_id'], purpose, boundTo: tokenOf } as const;

/** Where sealed secrets are stored. */
export const sealedWebhookColumns: readonly SealedColumn[] = [
  { ...tokens, column: 'sealed' },
  { ...tokens, column: 'previous_sealed' },
  {
    table: 'endpoint_headers',
    id: ['project_id', 'webhook_id'],
    column: 'sealed',
    purpose,
    boundTo: headersOf,
  },
];

/** Encrypts secrets of endpoints and projects with a key derived from the master key. A sealed text opens only for
 *  the same project, or project and endpoint. */
@Injectable()
export class WebhookSecrets {
  private readonly keys: Keyring;

  constructor(@Inject(SCRIP_CONFIG) config: ScripConfig) {
    this.keys = purposeRing(config, purpose);
  }

  sealToken(projectId: string, token: string): string {
    return this.keys.seal(token, tokenOf(projectId));
  }

  openToken(projectId: string, sealed: string): string {
    return this.keys.open(sealed, tokenOf(projectId));
  }

  sealHeaders(projectId: string, webhookId: string, headers: Record<string, string>): string {
    return this.keys.seal(JSON.stringify(headers), headersOf(projectId, webhookId));
  }

  openHeaders(projectId: string, webhookId: string, sealed: string): Record<string, string> {
    return JSON.parse(this.keys.open(sealed, headersOf(projectId, webhookId))) as Record<string, string>;
  }
}
