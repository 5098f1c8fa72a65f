export { registerEdge } from './assembly/register-edge';
export { embeddedEdge } from './assembly/embedded-edge';
export { serviceEdge } from './assembly/service-edge';
export { edgeFastifyOptions } from './assembly/fastify-options';
export { type BrowserCall, sessionCookieName } from './access/browser-call';
export { addressKey } from './access/address-key';
export { permissionsOf } from './access/permissions';
export { Browser, Call, Ctx, CtxOrNull, Ids, KeyRow, SessionOfCall } from './request/request-decorators';
export { Refusals, type RefusalTableOf, type StatusAndMessage, failureOfRefusal } from './failure/refusals';
export { EdgeFailure, type Failure, renderFailure } from './failure/failure';
export type { DescribedWebhook } from './openapi/webhooks';
export { failures } from './failure/failures';
export { oneTimePasswordHeader, storedOrderHeader } from './response-headers';
export { ContextOf, contextNameOf } from './nest/context-of';
export { answersErasureConsumer } from './idempotency/answers-erasure.consumer';
export { eraseFromAnswers, markErasedInAnswers } from './idempotency/answers-erasure';
export { completeKeys, lockKeys, type KeyCompletion } from './idempotency/complete-keys';
export { type IdempotencyRow, type StoredAnswer, isKept } from './idempotency/idempotency-row';
export { idempotencyMigrations } from './migrations';
export { portionsOfList } from './media/large-json';
export { eachInput, listBody, readInput } from './validation/input.pipe';
export { openForm } from './upload/form-upload';
export { Wording } from './validation/wording';
export { IsFilters } from './validation/is-filters';
export { IsImageUrl } from './validation/is-image-url';
export {
  IsAmount,
  IsAnyObject,
  IsAnything,
  IsDateInput,
  IsDay,
  IsDecimal,
  IsFlag,
  IsInteger,
  IsMetadata,
  IsNothing,
  IsOneOf,
  IsPage,
  IsText,
  IsTextList,
  Nested,
  NestedList,
} from './validation/rules';
export { listOf, pageOf } from './lists/list-of';
export {
  EndDateQuery,
  InstantRange,
  IsCursor,
  LimitQuery,
  offsetOf,
  orderOf,
  pageQuery,
} from './lists/page-query';
export { type FilterSpec, filterLimits, readFiltersOrRefuse } from './lists/filters';
export { type JsonSchema, numericText, orNull } from './openapi/json-schema';
export { onlyTextOf } from './openapi/discriminator';
export { type AnswerBody, type AnswerHeader, Operation } from './openapi/operation';
export { type DescribedRoute, routesOfControllers } from './openapi/controller-operations';
export { openApiDocument } from './openapi/openapi-document';
export { sdkDocument } from './openapi/sdk-document';
