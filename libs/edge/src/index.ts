export { registerEdge } from './register-edge';
export { embeddedEdge } from './embedded-edge';
export { serviceEdge } from './service-edge';
export { gatewayEdge } from './gateway/gateway-edge';
export { edgeFastifyOptions } from './fastify-options';
export { Ctx, Ids, KeyRow } from './request/request-decorators';
export { Refusals, type RefusalTable, failureOfRefusal } from './failure/refusals';
export { EdgeFailure, type Failure, renderFailure } from './failure/failure';
export { failures } from './failure/failures';
export { ContextOf, contextNameOf } from './nest/context-of';
export { publicRoutes } from './routes/routes';
export { type RouteRow, server } from './routes/route-row';
export type { IdempotencyRow } from './idempotency/idempotency-row';
export { CreateIdempotencyKeys1700000000200 as idempotencyMigration } from './idempotency/idempotency.migration';
export { readInput } from './validation/input.pipe';
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
export { type JsonSchema, orNull } from './openapi/json-schema';
export { type AnswerBody, Operation } from './openapi/operation';
export { type DescribedRoute, routesOfControllers } from './openapi/controller-operations';
export { openApiDocument } from './openapi/openapi-document';
