import type { CallersSession } from '@scrip/contracts/auth';
import { isLoopback } from '@scrip/kernel';
import type { FastifyRequest } from 'fastify';
import { textOf } from '../request/header-text';
import { credentialUnitsMax } from './presented-credentials';

/** The header that every call of the dashboard sends: pages of other origins cannot, without asking first. */
export const dashboardHeader = 'x-scrip-dashboard';
/** The header that names the project of a call of the dashboard. */
export const projectHeader = 'x-scrip-project';

/** How browsers reach this server. */
export interface DashboardAccess {
  /** `SCRIP_BASE_URL`. */
  baseUrl: string;
  /** `SCRIP_DASHBOARD_ALLOW_HTTP`. */
  allowHttp: boolean;
}

/** What a handler knows of a call of the dashboard. */
export interface BrowserCall {
  /** Address of the caller. */
  address: string;
  /** Cookies are for https only. */
  isSecure: boolean;
  /** The session and the user of the call; null where it has none yet. */
  session: Pick<CallersSession, 'id' | 'user_id' | 'password_is_fresh'> | null;
}

/** Whether the caller reaches the server by https; a proxy that ends TLS says so by the base URL or by a header. */
export const isSecureCall = ({ protocol }: FastifyRequest, { baseUrl }: DashboardAccess): boolean =>
  protocol === 'https' || baseUrl.startsWith('https:');

/** The name of the cookie. Browsers keep one that begins with `__Host-` only from https, for the whole host alone. */
export const sessionCookieName = (isSecure: boolean): string => (isSecure ? '__Host-scrip' : 'scrip');

/** The session that a request presents, undefined without one. */
export const sessionTokenOf = (request: FastifyRequest, access: DashboardAccess): string | undefined => {
  const start = `${sessionCookieName(isSecureCall(request, access))}=`;
  const found = (request.headers.cookie ?? '')
    .split(';')
    .map((one) => one.trim())
    .find((one) => one.startsWith(start));
  const token = found?.slice(start.length);
  return token === undefined || token === '' || token.length > credentialUnitsMax ? undefined : token;
};

const isOwnOrigin = (
  origin: string,
  { protocol, host }: FastifyRequest,
  { baseUrl }: DashboardAccess,
): boolean => origin === `${protocol}://${host}` || origin === new URL(baseUrl).origin;

const isOurPage = (request: FastifyRequest, access: DashboardAccess): boolean => {
  const site = textOf(request.headers['sec-fetch-site']);
  if (site !== undefined) return site === 'same-origin';
  const origin = textOf(request.headers.origin);
  return origin !== undefined && isOwnOrigin(origin, request, access);
};

/** Why a request with a session may come from another page than ours, or be read on its way; null where neither. Source:
 *  reference 07 §2.5. */
export const browserProblem = (request: FastifyRequest, access: DashboardAccess): string | null => {
  const isReadable = !isSecureCall(request, access) && !isLoopback(request.hostname.replace(/[[\]]/g, ''));
  if (isReadable && !access.allowHttp)
    return 'Users sign in by https, or on this machine. SCRIP_DASHBOARD_ALLOW_HTTP allows http';
  if (textOf(request.headers[dashboardHeader]) !== '1')
    return 'A call with a session sends the header X-Scrip-Dashboard: 1';
  return isOurPage(request, access)
    ? null
    : 'The call comes from a page of another origin: Sec-Fetch-Site must be same-origin or, without it, Origin ours';
};
