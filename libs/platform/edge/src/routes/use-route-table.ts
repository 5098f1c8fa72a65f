import type { FastifyInstance } from 'fastify';
import { logFailures } from '../failure/log-failures';
import { endRequestSpans } from '../request/request-span';
import { assertRoutesComplete, type RegisteredRoute, routesWithoutRow } from './assert-routes-complete';
import { RouteIndex } from './route-index';
import type { RouteRow } from '@scrip/contracts/registry';

/** What the edge knows after it was registered. */
export interface RegisteredEdge {
  readonly index: RouteIndex;
  /** Throws `Error` naming routes without a row and rows without a route. Call it once all routes are registered. */
  assertRoutesComplete(): void;
}

const bodyLimitOf = ({ method, url }: RegisteredRoute, index: RouteIndex): number | undefined =>
  [method].flat().map((one) => index.rowOf(one, url)?.bodyLimitBytes)[0];

/** Holds routes and table together: a route without a row stops the start. To be called before routes exist. */
export const useRouteTable = (fastify: FastifyInstance, rows: readonly RouteRow[]): RegisteredEdge => {
  const registered: RegisteredRoute[] = [];
  fastify.decorateRequest('edge');
  endRequestSpans(fastify);
  logFailures(fastify);
  const index = new RouteIndex(rows);
  fastify.addHook('onRoute', (route) => {
    registered.push({ method: route.method, url: route.url });
    const limit = bodyLimitOf(route, index);
    if (limit !== undefined) route.bodyLimit = limit;
  });
  fastify.addHook('onReady', async () => {
    const rowless = routesWithoutRow(registered, rows);
    if (rowless.length > 0) throw new Error(`routes without a row in the route table: ${rowless.join(', ')}`);
  });
  return {
    index,
    assertRoutesComplete: () => assertRoutesComplete(registered, rows),
  };
};
