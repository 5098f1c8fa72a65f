import type { Failure } from '../failure/failure';
import { failures } from '../failure/failures';
import type { RouteArea } from '@scrip/contracts/registry';
import { challengeOf, headersToSend } from './challenge';
import { credentialUnitsMax, type PresentationFlaw } from './presented-credentials';

const detailsOf = (
  { flaw, header = '' }: PresentationFlaw,
  area: RouteArea,
  oauthHeaders: readonly string[],
): string => {
  switch (flaw) {
    case 'absent':
      return `No credentials were sent. Send ${headersToSend(area, oauthHeaders)}.`;
    case 'incomplete':
      return `Half of a key was sent. Send ${header} too.`;
    case 'not_bearer':
      return `The header ${header} holds no token. It must be "Bearer <access token>".`;
    case 'too_long':
      return `The header ${header} is longer than any key or token: ${credentialUnitsMax} characters at most.`;
    default:
      return flaw satisfies never;
  }
};

/** The 401 for a request that presents nothing to look up: names the header to send or to mend. */
export const presentationFailure = (
  flaw: PresentationFlaw,
  area: RouteArea,
  oauthHeaders: readonly string[],
): Failure => ({
  ...failures.unauthorized(detailsOf(flaw, area, oauthHeaders)),
  headers: { 'WWW-Authenticate': challengeOf(area) },
});

/** The 401 for credentials that do not count here. One answer for all of them: unknown ids, wrong secrets, blocked keys,
 *  expired tokens, addresses that the key does not admit. */
export const rejectedCredentials = (area: RouteArea, kind: string): Failure => ({
  ...failures.unauthorized(),
  headers: { 'WWW-Authenticate': challengeOf(area, { rejectedToken: kind === 'token' }) },
});
