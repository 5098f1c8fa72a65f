import { Inject, Injectable } from '@nestjs/common';
import type { Credentials, Principal } from '@scrip/contracts';
import { type Refusal, refuse } from '@scrip/kernel';
import { purposeKey, SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import { isAllowedIp } from './allowed-ip';
import { isForeign } from './foreign-id';
import type { ApplicationKey } from './key';
import { KeyDirectory } from './key-directory';
import { SecretHashes } from './secret-hash';

type AuthConfig = Pick<ScripConfig, 'cluster' | 'masterKey'>;

/** The keyed hash of this installation's secrets. */
export const secretHashesOf = (config: AuthConfig): SecretHashes =>
  new SecretHashes(purposeKey(config, 'key-secrets'));

export const unauthorized = (): Refusal =>
  refuse('unauthorized', 'Cannot authenticate with the given credentials');

/** Another cluster's key or token. Source: spec 07 §1.2. */
export const otherRegion = (): Refusal => refuse('forbidden', 'Project is bound to different region');

/** Who calls with an application key, or with a token that it issued (`scopes` of the token). */
export const principalOf = (
  kind: Principal['kind'],
  key: ApplicationKey,
  scopes: string[] | null,
): Principal => ({
  kind,
  key: { id: key.id, name: key.name },
  role: key.role,
  scopes,
  project: key.project.project,
  trusted_domains: key.project.client_trusted_domains,
  client_switches: key.project.client_switches,
});

/** Checks keys. A wrong secret, an unknown id, a blocked key and a foreign address are one answer. */
@Injectable()
export class KeyAuthentication {
  private readonly hashes: SecretHashes;

  constructor(
    private readonly directory: KeyDirectory,
    @Inject(SCRIP_CONFIG) private readonly config: AuthConfig,
  ) {
    this.hashes = secretHashesOf(config);
  }

  async application(credentials: Extract<Credentials, { app_id: string }>): Promise<Principal | Refusal> {
    const { kind, app_id, app_token, ip } = credentials;
    const key = await this.directory.application(app_id);
    if (!this.admits(app_id, app_token, ip, key)) return this.refusalFor(app_id, key);
    return key?.kind === kind ? principalOf(kind, key, null) : unauthorized();
  }

  async management(credentials: Extract<Credentials, { kind: 'management' }>): Promise<Principal | Refusal> {
    const { management_id, management_token, ip } = credentials;
    const key = await this.directory.management(management_id);
    if (!key || !this.admits(management_id, management_token, ip, key))
      return this.refusalFor(management_id, key);
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

  private refusalFor(id: string, key: object | null): Refusal {
    return !key && isForeign(id, this.config.cluster) ? otherRegion() : unauthorized();
  }
}
