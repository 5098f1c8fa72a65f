import type { FastifyRequest } from 'fastify';
import type { RouteIndex } from './route-index';
import type { RouteRow } from '@scrip/contracts/registry';

/** The row of the route that the router found for a request; undefined where it found none. */
export const routedRow = (request: FastifyRequest, index: RouteIndex): RouteRow | undefined => {
  const { url } = request.routeOptions;
  return request.is404 || url === undefined ? undefined : index.rowOf(request.method, url);
};
