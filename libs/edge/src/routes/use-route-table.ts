import type { FastifyInstance } from 'fastify';
import { endRequestSteps } from '../request/request-step';
import { assertRoutesComplete, type RegisteredRoute, routesWithoutRow } from './assert-routes-complete';
import { RouteIndex } from './route-index';
import type { RouteRow } from './route-row';

/** What the edge knows after it was registered. */
export interface RegisteredEdge {
  readonly index: RouteIndex;
  /** Throws `Error` naming routes without a row and rows without a route. Call it once all routes are registered. */
  assertRoutesComplete(): void;
}

/** Holds routes and table together: a route without a row stops the start. To be called before routes exist. */
export const useRouteTable = (fastify: FastifyInstance, rows: readonly RouteRow[]): RegisteredEdge => {
  const registered: RegisteredRoute[] = [];
  fastify.decorateRequest('edge');
  endRequestSteps(fastify);
  fastify.addHook('onRoute', ({ method, url }) => void registered.push({ method, url }));
  fastify.addHook('onReady', async () => {
    const rowless = routesWithoutRow(registered, rows);
    if (rowless.length > 0) throw new Error(`routes without a row in the route table: ${rowless.join(', ')}`);
  });
  return {
    index: new RouteIndex(rows),
    assertRoutesComplete: () => assertRoutesComplete(registered, rows),
  };
};
