import { Inject, Injectable } from '@nestjs/common';
import type { Credentials, Principal } from '@scrip/contracts/auth';
import { refuse } from '@scrip/kernel';
import { SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import type { CredentialsRefusal } from '../auth.refusals';
import { isAllowedIp } from './allowed-ip';
import { isForeign } from './foreign-id';
import type { ApplicationKey } from './key';
import { KeyDirectory } from './key-directory';
import { KeyUse } from './key-use';
import { SecretHashes } from './secret-hash';

export const unauthorized = (): CredentialsRefusal =>
  refuse('unauthorized', 'Cannot authenticate with the given credentials');

/** Another cluster's key or token. Source: reference 07 §1.2. */
export const otherRegion = (): CredentialsRefusal =>
  refuse('forbidden', 'Project is bound to different region');

/** Returns the caller of an application key, or of a token issued by it (`scopes` of the token). */
export const principalOf = (
  kind: Principal['kind'],
  key: ApplicationKey,
  scopes: string[] | null,
): Principal => ({
  kind,
  key: { id: key.id, name: key.name },
  role: key.role,
  ...(key.integration ? { integration: true as const } : {}),
  scopes,
  project: key.project.project,
  trusted_domains: key.project.client_trusted_domains,
  client_switches: key.project.client_switches,
});

/** Authenticates keys. A wrong secret, an unknown id, a blocked key and an address outside the key's list get the
 *  same refusal. */
@Injectable()
export class KeyAuthentication {
  constructor(
    private readonly directory: KeyDirectory,
    private readonly hashes: SecretHashes,
    private readonly use: KeyUse,
    @Inject(SCRIP_CONFIG) private readonly config: Pick<ScripConfig, 'cluster'>,
  ) {}

  async application(
    credentials: Extract<Credentials, { app_id: string }>,
  ): Promise<Principal | CredentialsRefusal> {
    const { kind, app_id, app_token, ip } = credentials;
    const key = await this.directory.application(app_id);
    if (!this.admits(app_id, app_token, ip, key)) return this.refusalFor(app_id, key);
    if (key?.kind !== kind) return unauthorized();
    this.use.note(key.id);
    return principalOf(kind, key, null);
  }

  async management(
    credentials: Extract<Credentials, { kind: 'management' }>,
  ): Promise<Principal | CredentialsRefusal> {
    const { management_id, management_token, ip } = credentials;
    const key = await this.directory.management(management_id);
    if (!key || !this.admits(management_id, management_token, ip, key))
      return this.refusalFor(management_id, key);
    this.use.note(key.id);
    return {
      kind: 'management',
      key: { id: key.id, name: key.name },
      role: 'ADMIN',
      scopes: null,
      project: null,
      trusted_domains: [],
      client_switches: null,
    };
  }

  private admits(
    id: string,
    secret: string,
    ip: string,
    key: { secretHash: Buffer; blocked: boolean; allowedIps: string[] } | null,
  ): boolean {
    const matches = this.hashes.matches(id, secret, key?.secretHash ?? null);
    return matches && key !== null && !key.blocked && isAllowedIp(ip, key.allowedIps);
  }

  private refusalFor(id: string, key: object | null): CredentialsRefusal {
    return !key && isForeign(id, this.config.cluster) ? otherRegion() : unauthorized();
  }
}
