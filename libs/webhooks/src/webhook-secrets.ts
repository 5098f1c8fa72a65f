import { Inject, Injectable } from '@nestjs/common';
import { open, seal } from '@scrip/kernel';
import { SCRIP_CONFIG, type ScripConfig, purposeKey } from '@scrip/service';

/** Seals what endpoints and projects keep secret, with a key derived from the master key. The context (project, or
 *  project and endpoint) is bound in: a sealed text opens nowhere else. */
@Injectable()
export class WebhookSecrets {
  private readonly key: Buffer;

  constructor(@Inject(SCRIP_CONFIG) config: ScripConfig) {
    this.key = purposeKey(config, 'webhook-secrets');
  }

  sealToken(projectId: string, token: string): string {
    return seal(token, this.key, `token:${projectId}`);
  }

  openToken(projectId: string, sealed: string): string {
    return open(sealed, this.key, `token:${projectId}`);
  }

  sealHeaders(projectId: string, webhookId: string, headers: Record<string, string>): string {
    return seal(JSON.stringify(headers), this.key, `headers:${projectId}:${webhookId}`);
  }

  openHeaders(projectId: string, webhookId: string, sealed: string): Record<string, string> {
    return JSON.parse(open(sealed, this.key, `headers:${projectId}:${webhookId}`)) as Record<string, string>;
  }
}
