import { Inject, Injectable } from '@nestjs/common';
import { refuse, type RequestContext } from '@scrip/kernel';
import { SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import type { AuthRefusal } from '../auth.refusals';
import { KeyDirectory } from '../keys/key-directory';
import { newSecret } from '../keys/secret-hash';
import { unknownScopes } from './scopes';
import { TokenStore, tokenLifetimeS } from './token.table';
import type { IntrospectedToken, IssuedToken } from './token.wire';

type Form = Readonly<Record<string, string | undefined>>;

const missing = (form: Form, names: readonly string[]): AuthRefusal | null => {
  const absent = names.filter((name) => !form[name]);
  return absent.length > 0 ? refuse('missing_parameters', `Missing parameters: ${absent.join(', ')}`) : null;
};

const checkTokenRequest = (form: Form): AuthRefusal | null => {
  const refusal = missing(form, ['grant_type', 'scope']);
  if (refusal) return refusal;
  if (form.grant_type !== 'client_credentials') return refuse('invalid_grant_type', 'Invalid grant_type');
  const unknown = unknownScopes(form.scope ?? '');
  if (unknown.length === 0) return null;
  const text = `Invalid scope: ${unknown.join(',')}`;
  return refuse('invalid_scope', text, { message: text });
};

/** Issues, introspects and revokes access tokens of the caller's project. Source: reference 07 §2.1. */
@Injectable()
export class TokenHandlers {
  constructor(
    private readonly tokens: TokenStore,
    private readonly directory: KeyDirectory,
    @Inject(SCRIP_CONFIG) private readonly config: Pick<ScripConfig, 'cluster'>,
  ) {}

  async issue({ apiKey, project }: RequestContext, form: Form): Promise<IssuedToken | AuthRefusal> {
    const refusal = checkTokenRequest(form);
    if (refusal) return refusal;
    const scope = form.scope ?? '';
    const accessToken = `${this.config.cluster}-${newSecret()}`;
    const keyId = apiKey?.id ?? '';
    const issued = await this.tokens.issue(accessToken, { projectId: project.id, keyId, scope });
    if (issued === 'key_gone')
      return refuse('unauthorized', 'The application key cannot issue tokens any more');
    if (issued === 'full')
      return refuse('oauth_tokens_limit_exceeded', 'The project has 1000 active access tokens');
    if (issued === 'share_full') {
      return refuse(
        'oauth_tokens_limit_exceeded',
        'The application key has used its share of the 1000 active access tokens of the project',
      );
    }
    return {
      access_token: accessToken,
      client_id: keyId,
      expires_at: issued.expiresAt,
      expires_in: tokenLifetimeS,
      scope,
      token_type: 'Bearer',
    };
  }

  async introspect(context: RequestContext, form: Form): Promise<IntrospectedToken | AuthRefusal> {
    const refusal = missing(form, ['access_token']);
    if (refusal) return refusal;
    const accessToken = form.access_token ?? '';
    const token = await this.tokens.find(accessToken);
    if (!token || token.projectId !== context.project.id) return { active: false };
    const key = await this.directory.application(token.keyId);
    if (!key || key.blocked) return { active: false };
    return {
      access_token: accessToken,
      client_id: token.keyId,
      expires_at: token.expiresAt,
      expires_in: token.expiresIn,
      scope: token.scope,
      token_type: 'Bearer',
      active: true,
    };
  }

  /** Returns whether there was an active token to revoke. */
  async revoke({ project }: RequestContext, form: Form): Promise<boolean> {
    const token = form.access_token;
    return token ? await this.tokens.revoke(token, project.id) : false;
  }
}
