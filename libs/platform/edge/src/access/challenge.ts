import type { RouteArea } from '@scrip/contracts/registry';
import { keyHeadersOf } from './presented-credentials';

const realm = 'realm="scrip"';

/** Whether access tokens reach an area at all. */
const takesTokens = (area: RouteArea): boolean => area === 'server' || area === 'client';

/** The `WWW-Authenticate` of a 401: the schemes that an area takes. `ApiKey` is ours, since keys come in two headers of
 *  their own. `rejectedToken`: a token was sent and does not count. Source: RFC 9110 §11.6.1, RFC 6750 §3. */
export const challengeOf = (area: RouteArea, { rejectedToken = false } = {}): string => {
  if (area === 'dashboard') return `Session ${realm}`;
  const keys = `ApiKey ${realm}, headers="${keyHeadersOf(area).join(' ')}"`;
  if (!takesTokens(area)) return keys;
  return rejectedToken ? `Bearer ${realm}, error="invalid_token"` : `Bearer ${realm}, ${keys}`;
};

/** The `WWW-Authenticate` of a 403: the scope that the token lacks. Source: RFC 6750 §3. */
export const scopeChallenge = (scope: string): string =>
  `Bearer ${realm}, error="insufficient_scope", scope="${scope}"`;

/** Names the headers with which an area can be called, for people. */
export const headersToSend = (area: RouteArea, oauthHeaders: readonly string[]): string => {
  if (area === 'dashboard') return 'the cookie of a session, which POST /dashboard/api/session begins';
  const keys = keyHeadersOf(area).join(' and ');
  const [oauth] = oauthHeaders;
  return takesTokens(area) && oauth ? `${keys}, or "${oauth}: Bearer <access token>"` : keys;
};
