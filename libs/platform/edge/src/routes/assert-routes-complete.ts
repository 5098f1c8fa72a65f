import { anonymous } from './route-index';
import type { RouteRow } from '@scrip/contracts/registry';

/** A route as Fastify's `onRoute` hook tells it. */
export interface RegisteredRoute {
  method: string | string[];
  url: string;
}

const methodsOf = (route: RegisteredRoute): string[] =>
  [route.method].flat().filter((method) => method !== 'HEAD' && method !== 'OPTIONS');

const difference = (left: readonly string[], right: ReadonlySet<string>): string[] =>
  left.filter((template) => !right.has(template)).sort();

/** Registered routes without a row (HEAD and OPTIONS aside): such a route is never served. */
export const routesWithoutRow = (routes: readonly RegisteredRoute[], rows: readonly RouteRow[]): string[] => {
  const known = new Set(rows.map((row) => `${row.method} ${anonymous(row.path)}`));
  const registered = routes.flatMap((route) =>
    methodsOf(route).map((method) => `${method} ${anonymous(route.url)}`),
  );
  return difference([...new Set(registered)], known);
};

/** Throws `Error` naming each registered route without a row and each row without a route. */
export const assertRoutesComplete = (routes: readonly RegisteredRoute[], rows: readonly RouteRow[]): void => {
  const registered = new Set(
    routes.flatMap((route) => methodsOf(route).map((method) => `${method} ${anonymous(route.url)}`)),
  );
  const rowless = routesWithoutRow(routes, rows);
  const routeless = difference(
    rows.map((row) => `${row.method} ${anonymous(row.path)}`),
    registered,
  );
  if (rowless.length + routeless.length === 0) return;
  throw new Error(
    `routes without a row: [${rowless.join(', ')}]; rows without a route: [${routeless.join(', ')}]`,
  );
};
