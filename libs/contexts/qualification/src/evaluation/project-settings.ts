import { Injectable } from '@nestjs/common';
import { type AuthPort, authPort } from '@scrip/contracts/auth';
import type { RequestContext } from '@scrip/kernel';
import { type StackingSettings, defaultStackingSettings } from '@scrip/order-calculation';
import { InjectPort } from '@scrip/rpc';
import { LRUCache } from 'lru-cache';

/** What a project decided about redeeming. */
@Injectable()
export class ProjectSettings {
  private readonly known = new LRUCache<string, StackingSettings>({ max: 1_000 });

  constructor(@InjectPort(authPort) private readonly auth: AuthPort) {}

  /** Returns the stacking rules of the version that the request names, or newer ones, and keeps them by their version.
   *  Source: reference 01 §10, ADR 80. */
  async stackingOf(context: RequestContext): Promise<StackingSettings> {
    const { id, stackingRulesVersion: version } = context.project;
    if (version === undefined) return defaultStackingSettings;
    const known = this.known.get(`${id} ${version}`);
    if (known) return known;
    const loaded = await this.auth.loadStackingRules(context, { project_id: id });
    const settings = loaded.settings ?? defaultStackingSettings;
    this.known.set(`${id} ${loaded.version}`, settings);
    return settings;
  }
}
