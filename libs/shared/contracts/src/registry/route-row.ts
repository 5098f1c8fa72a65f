import type { ClientSwitches } from '../auth/project.events';
import {
  bodyLimitBytes,
  bulkLimitBytes,
  clientLimitBytes,
  formLimitBytes,
  uploadDeadlineMs,
  uploadLimitBytes,
} from './body-limit';
import type { ContextName } from './contexts';
import type { Feature } from './feature';

/** Whose credentials a route takes. `oauth`: server keys only, no token. `dashboard`: sessions of users only. `open`: none.
 *  Source: reference 07 §2. */
export type RouteArea = 'server' | 'client' | 'management' | 'oauth' | 'dashboard' | 'open';

/** What a caller's role must allow. Source: reference 07 §2. */
export type RoutePermission =
  'read' | 'export' | 'write' | 'validate' | 'redeem' | 'settings' | 'token' | 'none';

export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One public route. */
export interface RouteRow {
  method: RouteMethod;
  /** `/v1/campaigns/{campaignId}`, parameters in braces. */
  path: string;
  /** The context that serves it, so the service a gateway sends it to; null: each process serves it itself.
   *  Source: architecture §2. */
  owner: ContextName | null;
  area: RouteArea;
  /** The access token scope that reaches it; null where tokens never do, or none is asked for. Source: reference 07
   *  §2.2, §2.3. */
  scope: string | null;
  permission: RoutePermission;
  /** The feature that it belongs to: 402 where the installation has it switched off. Null: always there. Source: reference 07
   *  §14. */
  feature: Feature | null;
  /** Counts against the bulk bucket. Source: reference 07 §1.6. */
  bulk: boolean;
  /** The answer holds a secret or decides about one: never stored under an Idempotency-Key. */
  secret: boolean;
  /** A `token` in the query, which the handler checks, stands for all other credentials. */
  opensByToken: boolean;
  /** Reached by keys of integrations only, and tokens that they issued. */
  integrationKeysOnly: boolean;
  /** The project's switch without which browsers may not call it. Source: reference 07 §2.3. */
  clientSwitch: keyof ClientSwitches | null;
  /** Of the area `dashboard`: called without a session, to begin one. */
  beginsSession: boolean;
  /** A user must have entered the password within the last 10 minutes. Source: reference 07 §2.5. */
  passwordAgain: boolean;
  /** `upload`: a form with a file (multipart/form-data). */
  consumes: 'json' | 'form' | 'upload';
  /** Largest body, in bytes. */
  bodyLimitBytes: number;
  /** How long an answer may take, in ms, where that is longer than for other routes. */
  deadlineMs: number | null;
  /** Media types offered; empty: whatever the caller accepts. */
  produces: readonly string[];
}

const changing: ReadonlySet<RoutePermission> = new Set(['write', 'validate', 'redeem']);

/** Whether calls with a permission may change something, by GET too: a validation may hold what it validates for a session. */
export const mayChange = ({ permission }: Pick<RouteRow, 'permission'>): boolean => changing.has(permission);

type RowOptions = Partial<Omit<RouteRow, 'method' | 'path' | 'owner' | 'area' | 'scope'>>;
type Route = `${RouteMethod} /${string}`;

const row = (route: Route, area: RouteArea, scope: string | null, options: RowOptions): RouteRow => {
  const [method, path] = route.split(' ') as [RouteMethod, string];
  return {
    method,
    path,
    owner: null,
    area,
    scope,
    permission: method === 'GET' ? 'read' : 'write',
    feature: null,
    bulk: false,
    secret: false,
    opensByToken: false,
    integrationKeysOnly: false,
    clientSwitch: null,
    beginsSession: false,
    passwordAgain: false,
    consumes: 'json',
    bodyLimitBytes,
    deadlineMs: null,
    produces: ['application/json'],
    ...options,
  };
};

/** A row of the server-side API. GET needs the permission `read`, everything else `write`, unless `options` say so. */
export const server = (route: Route, scope: string, options: RowOptions = {}): RouteRow =>
  row(route, 'server', scope, options);

/** A row of the server-side API that takes a form with a file. */
export const upload = (route: Route, scope: string, options: RowOptions = {}): RouteRow =>
  server(route, scope, {
    bulk: true,
    consumes: 'upload',
    bodyLimitBytes: uploadLimitBytes,
    deadlineMs: uploadDeadlineMs,
    ...options,
  });

/** A row of the server-side API that takes many records as JSON. */
export const bulk = (route: Route, scope: string, options: RowOptions = {}): RouteRow =>
  server(route, scope, {
    bulk: true,
    bodyLimitBytes: bulkLimitBytes,
    deadlineMs: uploadDeadlineMs,
    ...options,
  });

/** A row of the client-side API. */
export const client = (route: Route, scope: `client_${string}`, options: RowOptions = {}): RouteRow =>
  row(route, 'client', scope, { bodyLimitBytes: clientLimitBytes, ...options });

/** A row of the management API. */
export const management = (route: Route, options: RowOptions = {}): RouteRow =>
  row(route, 'management', null, { permission: 'none', ...options });

/** A token endpoint: form-encoded. */
export const oauth = (route: Route): RouteRow =>
  row(route, 'oauth', null, {
    permission: 'token',
    secret: true,
    consumes: 'form',
    bodyLimitBytes: formLimitBytes,
  });

/** A row of the dashboard's own API. Every user reaches it, unless `options` name a permission. */
export const dashboard = (route: Route, options: RowOptions = {}): RouteRow =>
  row(route, 'dashboard', null, {
    permission: 'none',
    secret: true,
    bodyLimitBytes: formLimitBytes,
    ...options,
  });

/** A row that anybody reaches. */
export const open = (route: Route, options: RowOptions = {}): RouteRow =>
  row(route, 'open', null, { permission: 'none', produces: [], ...options });

/** The same rows, as parts of a feature. */
export const ofFeature = (feature: Feature, rows: readonly RouteRow[]): RouteRow[] =>
  rows.map((row) => ({ ...row, feature }));

/** The same rows, served by `owner`. */
export const servedBy = (owner: ContextName, rows: readonly RouteRow[]): RouteRow[] =>
  rows.map((row) => ({ ...row, owner }));
