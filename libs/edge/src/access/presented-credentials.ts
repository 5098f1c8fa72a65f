import type { Credentials } from '@scrip/contracts';
import type { IncomingHttpHeaders } from 'node:http';
import type { RouteArea } from '../routes/route-row';

const textOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

const bearerOf = (header: string | undefined): string | undefined =>
  /^Bearer +(\S*) *$/i.exec(header ?? '')?.[1];

const tokenIn = (headers: IncomingHttpHeaders, oauthHeaders: readonly string[]): string | undefined =>
  oauthHeaders
    .map((name) => bearerOf(textOf(headers[name.toLowerCase()])))
    .find((token) => token !== undefined);

const keysIn = (headers: IncomingHttpHeaders, area: RouteArea, ip: string): Credentials | null => {
  const pair = (id: string, token: string): [string, string] | null => {
    const values = [textOf(headers[id]), textOf(headers[token])] as const;
    return values[0] && values[1] ? [values[0], values[1]] : null;
  };
  if (area === 'management') {
    const keys = pair('x-management-id', 'x-management-token');
    return keys && { kind: 'management', management_id: keys[0], management_token: keys[1], ip };
  }
  if (area === 'client') {
    const keys = pair('x-client-application-id', 'x-client-token');
    return keys && { kind: 'client', app_id: keys[0], app_token: keys[1], ip };
  }
  const keys = pair('x-app-id', 'x-app-token');
  return keys && { kind: 'server', app_id: keys[0], app_token: keys[1], ip };
};

/** What a request presents for an area: an access token, which decides when both are sent, else the area's own keys,
 *  else null. Source: spec 07 §2. */
export const presentedCredentials = (
  headers: IncomingHttpHeaders,
  area: RouteArea,
  { oauthHeaders, ip }: { oauthHeaders: readonly string[]; ip: string },
): Credentials | null => {
  const token = tokenIn(headers, oauthHeaders);
  return token === undefined ? keysIn(headers, area, ip) : { kind: 'token', access_token: token, ip };
};
