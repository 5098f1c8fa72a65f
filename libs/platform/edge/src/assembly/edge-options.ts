import type { AuthPort } from '@scrip/contracts/auth';
import type { RateLimits } from '../access/rate-limits';
import type { BudgetSizes } from '@scrip/kernel';
import type { RouteRow } from '@scrip/contracts/registry';

/** Headers in which access tokens are looked for, unless the configuration names others. */
export const defaultOauthHeaders: readonly string[] = ['X-Service-OAuth', 'Authorization'];

/** Bytes of request bodies under way, as sent: of all, and of one project. A parsed body takes up to ten times its bytes. */
export const defaultBodyBudget: BudgetSizes = { total: 67_108_864, perHolder: 16_777_216 };

/** How the edge behaves. */
export interface EdgeOptions {
  /** Who knows credentials and projects. */
  auth: AuthPort;
  /** Headers that may carry `Bearer <token>`, first match wins. Config `SCRIP_OAUTH_HEADERS`.
   *  Default `defaultOauthHeaders`. */
  oauthHeaders?: readonly string[];
  /** Default: reference 07 §1.6 and Open points 9. */
  rateLimits?: Partial<RateLimits>;
  /** The table; default `publicRoutes`. */
  routes?: readonly RouteRow[];
  /** Bodies under way. Default `defaultBodyBudget`. */
  bodyBudget?: BudgetSizes;
  /** How long an answer is waited for, in ms. Default 10,000. */
  deadlineMs?: number;
}
