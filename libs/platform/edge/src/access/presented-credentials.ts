import type { IncomingHttpHeaders } from 'node:http';
import type { Credentials } from '@scrip/contracts/auth';
import type { RouteArea } from '@scrip/contracts/registry';

/** UTF-16 units of the longest id, secret or token that is looked up; ours have at most 60. */
export const credentialUnitsMax = 256;

/** The headers of an area's key: its id and its secret. */
export const keyHeadersOf = (area: RouteArea): readonly [id: string, secret: string] => {
  if (area === 'management') return ['X-Management-Id', 'X-Management-Token'];
  return area === 'client' ? ['X-Client-Application-Id', 'X-Client-Token'] : ['X-App-Id', 'X-App-Token'];
};

/** Why headers hold nothing to authenticate with. `header`: the one that is missing, wrong or too long. */
export interface PresentationFlaw {
  flaw: 'absent' | 'incomplete' | 'not_bearer' | 'too_long';
  header?: string;
}

const textOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

const bearer = 'bearer ';

/** The token of `Bearer <token>`, blanks around it removed; undefined for another scheme or a token with blanks. */
const bearerOf = (header: string): string | undefined => {
  if (header.slice(0, bearer.length).toLowerCase() !== bearer) return undefined;
  const token = header.slice(bearer.length).trim();
  return token.includes(' ') ? undefined : token;
};

interface Sent {
  header: string;
  text: string;
}

const sentIn = (headers: IncomingHttpHeaders, names: readonly string[]): Sent[] =>
  names.flatMap((header) => {
    const text = textOf(headers[header.toLowerCase()]);
    return text === undefined || text === '' ? [] : { header, text };
  });

const tokenIn = (sent: readonly Sent[]): Sent | undefined =>
  sent
    .map(({ header, text }) => ({ header, text: bearerOf(text) }))
    .find((found): found is Sent => found.text !== undefined);

const tooLong = ({ text }: Sent): boolean => text.length > credentialUnitsMax;

const keysOf = (area: RouteArea, [id, secret]: readonly [Sent, Sent], ip: string): Credentials => {
  if (area === 'management')
    return { kind: 'management', management_id: id.text, management_token: secret.text, ip };
  return { kind: area === 'client' ? 'client' : 'server', app_id: id.text, app_token: secret.text, ip };
};

/** What a request presents for an area: an access token, which decides when both are sent, else the area's own key.
 *  Takes time proportional to the headers. Source: reference 07 §2. */
export const presentedCredentials = (
  headers: IncomingHttpHeaders,
  area: RouteArea,
  { oauthHeaders, ip }: { oauthHeaders: readonly string[]; ip: string },
): Credentials | PresentationFlaw => {
  const oauth = sentIn(headers, oauthHeaders);
  const token = tokenIn(oauth);
  if (token)
    return tooLong(token)
      ? { flaw: 'too_long', header: token.header }
      : { kind: 'token', access_token: token.text, ip };
  const names = keyHeadersOf(area);
  const [id, secret] = sentIn(headers, names);
  if (!id && oauth[0]) return { flaw: 'not_bearer', header: oauth[0].header };
  if (!id) return { flaw: 'absent' };
  if (!secret) return { flaw: 'incomplete', header: names.find((name) => name !== id.header)! };
  const long = [id, secret].find(tooLong);
  return long ? { flaw: 'too_long', header: long.header } : keysOf(area, [id, secret], ip);
};
