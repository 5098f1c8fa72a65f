import type { AuthPort } from '@scrip/contracts/auth';
import type { DashboardAccess } from '../access/browser-call';
import type { RateLimits } from '../access/rate-limits';
import type { CallNotes } from '../call-log/call-notes';
import type { BytesUnderWaySizes } from '../under-way/bytes-under-way';
import type { ReaderPatience } from '../under-way/silent-readers';
import type { Feature, RouteRow } from '@scrip/contracts/registry';

/** Headers in which access tokens are looked for, unless the configuration names others. */
export const defaultOauthHeaders: readonly string[] = ['X-Service-OAuth', 'Authorization'];

/** Sessions by https, and from this machine. */
export const defaultDashboardAccess: DashboardAccess = { baseUrl: 'http://127.0.0.1', allowHttp: false };

/** Bytes of request bodies under way, as sent. A parsed body takes up to ten times its bytes. */
export const defaultBodyBudget: BytesUnderWaySizes = {
  total: 67_108_864,
  perHolder: 16_777_216,
  addresses: { total: 16_777_216, perHolder: 1_048_576 },
};

/** Bytes of answers that their readers have not taken yet. */
export const defaultAnswerBudget: BytesUnderWaySizes = defaultBodyBudget;

/** How the edge behaves. */
export interface EdgeOptions {
  /** Who knows credentials and projects. */
  auth: AuthPort;
  /** Headers that may carry `Bearer <token>`, first match wins. Config `SCRIP_OAUTH_HEADERS`.
   *  Default `defaultOauthHeaders`. */
  oauthHeaders?: readonly string[];
  /** Features whose calls are answered 402. Default: none. */
  featuresOff?: readonly Feature[];
  /** Notes of calls, for their log. Default: none are taken. */
  callNotes?: CallNotes;
  /** Default: reference 07 §1.6 and Open points 9. */
  rateLimits?: Partial<RateLimits>;
  /** How browsers with a session reach this server. Default `defaultDashboardAccess`. */
  dashboard?: DashboardAccess;
  /** The table; default `publicRoutes`. */
  routes?: readonly RouteRow[];
  /** Bodies under way. Default `defaultBodyBudget`. */
  bodyBudget?: BytesUnderWaySizes;
  /** Answers under way. Default `defaultAnswerBudget`. */
  answerBudget?: BytesUnderWaySizes;
  /** How long a reader may take nothing of its answer. Default `defaultReaderPatience`. */
  readerPatience?: ReaderPatience;
  /** How long an answer is waited for, in ms. Default 10,000. */
  deadlineMs?: number;
}
