import type { AuthPort } from '@scrip/contracts';
import type { RateLimits } from './access/rate-limits';
import type { RouteRow } from './routes/route-row';

/** Headers in which access tokens are looked for, unless the configuration names others. */
export const defaultOauthHeaders: readonly string[] = ['X-Service-OAuth', 'Authorization'];

/** How the edge behaves. */
export interface EdgeOptions {
  /** Who knows credentials and projects. */
  auth: AuthPort;
  /** Headers that may carry `Bearer <token>`, first match wins. Config `SCRIP_OAUTH_HEADERS`.
   *  Default `defaultOauthHeaders`. */
  oauthHeaders?: readonly string[];
  /** Default: spec 07 §1.6 and Open points 9. */
  rateLimits?: Partial<RateLimits>;
  /** The table; default `publicRoutes`. */
  routes?: readonly RouteRow[];
  /** How long an answer is waited for, in ms. Default 10,000. */
  deadlineMs?: number;
}
