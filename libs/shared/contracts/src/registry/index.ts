export {
  bodyLimitBytes,
  bulkLimitBytes,
  clientLimitBytes,
  formLimitBytes,
  uploadLimitBytes,
} from './body-limit';
export { type ContextName, contextNames, contexts, topics } from './contexts';
export { type Feature, features, isFeature } from './feature';
export { publicRoutes } from './public-routes';
export type { RegisteredContext } from './registered-context';
export {
  bulk,
  client,
  dashboard,
  management,
  mayChange,
  oauth,
  open,
  type RouteArea,
  type RouteMethod,
  type RoutePermission,
  type RouteRow,
  ofFeature,
  servedBy,
  upload,
  server,
} from './route-row';
export type { Topic } from './topic';
