export { bodyLimitBytes, clientLimitBytes, formLimitBytes } from './body-limit';
export { type ContextName, contextNames, contexts, topics } from './contexts';
export { publicRoutes } from './public-routes';
export type { RegisteredContext } from './registered-context';
export {
  client,
  dashboard,
  management,
  oauth,
  open,
  type RouteArea,
  type RouteMethod,
  type RoutePermission,
  type RouteRow,
  servedBy,
  server,
} from './route-row';
export type { Topic } from './topic';
