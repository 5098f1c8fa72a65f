import { contexts } from './contexts';
import { open, type RouteRow, servedBy } from './route-row';

/** Every public route. A feature adds its lines to its context; a test and the start of the application hold the table
 *  complete. */
export const publicRoutes: readonly RouteRow[] = [
  ...contexts.flatMap(({ name, routes }) => servedBy(name, routes)),

  open('GET /healthz'),
  open('GET /readyz'),
  open('GET /openapi.json'),
  open('GET /openapi.sdk.json'),
  open('GET /docs'),
  open('GET /docs/{asset}'),
];
