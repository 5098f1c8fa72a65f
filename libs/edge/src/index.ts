export { registerEdge, type RegisteredEdge } from './register-edge';
export { embeddedEdge } from './embedded-edge';
export { edgeFastifyOptions } from './fastify-options';
export type { EdgeOptions } from './edge-options';
export { defaultRateLimits, type RateLimit, type RateLimits } from './access/rate-limits';
export { Ctx, Ids, KeyRow } from './request/request-decorators';
export { Refusals, type RefusalTable, failureOfRefusal } from './failure/refusals';
export { EdgeFailure, type Failure, renderFailure } from './failure/failure';
export { failures } from './failure/failures';
export { ContextOf, type OwningContext } from './nest/context-of';
export { publicRoutes } from './routes/routes';
export type { RouteArea, RouteMethod, RoutePermission, RouteRow } from './routes/route-row';
export { assertRoutesComplete, type RegisteredRoute } from './routes/assert-routes-complete';
export { client, management, oauth, open, server } from './routes/route-row';
export type { IdempotencyRow, StoredAnswer } from './idempotency/idempotency-row';
export { CreateIdempotencyKeys1700000000200 as idempotencyMigration } from './idempotency/idempotency.migration';
export { InputPipe, readInput } from './validation/input.pipe';
export { Wording } from './validation/wording';
export { IsFilters } from './validation/is-filters';
export {
  IsAmount,
  IsAnything,
  IsDateInput,
  IsDecimal,
  IsFlag,
  IsInteger,
  IsMetadata,
  IsOneOf,
  IsPage,
  IsText,
  IsTextList,
  Nested,
  NestedList,
} from './validation/rules';
export { listOf, pageOf } from './lists/list-of';
export { EndDateQuery, LimitQuery, offsetOf, orderOf, pageQuery } from './lists/page-query';
export { type FilterConditions, type Filters, type FilterSpec, readFilters } from './lists/filters';
