import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '@scrip/contracts/auth';
import { SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import type { CredentialsRefusal } from '../auth.refusals';
import { isAllowedIp } from '../keys/allowed-ip';
import { isForeign } from '../keys/foreign-id';
import { otherRegion, principalOf, unauthorized } from '../keys/key-authentication';
import { KeyDirectory } from '../keys/key-directory';
import { TokenStore } from './token.table';

/** Authenticates access tokens. A token has the rights of the key that issued it. Source: reference 07 §2.1. */
@Injectable()
export class TokenAuthentication {
  constructor(
    private readonly tokens: TokenStore,
    private readonly directory: KeyDirectory,
    @Inject(SCRIP_CONFIG) private readonly config: Pick<ScripConfig, 'cluster'>,
  ) {}

  async token(accessToken: string, ip: string): Promise<Principal | CredentialsRefusal> {
    const token = await this.tokens.find(accessToken);
    if (!token) return isForeign(accessToken, this.config.cluster) ? otherRegion() : unauthorized();
    const key = await this.directory.application(token.keyId);
    if (!key || key.blocked || key.project.project.id !== token.projectId) return unauthorized();
    if (!isAllowedIp(ip, key.allowedIps)) return unauthorized();
    return principalOf('token', key, token.scope.split(' '));
  }
}
