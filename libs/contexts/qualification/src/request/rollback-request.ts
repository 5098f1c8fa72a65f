import type { QualificationRefusal } from '../qualification.refusals';
import {
  type Reader,
  customerRequest,
  identifier,
  jsonObject,
  namedShape,
  nullable,
  orderRequest,
  parsePayload,
  text,
} from '@scrip/wire/requests';

/** Body of POST /v1/redemptions/{id}/rollback and …/rollbacks; all of it may be missing. Source: reference 03 §9. */
export const rollbackRequest = namedShape('RollbackRequest', {
  reason: nullable(text),
  tracking_id: nullable(identifier),
  customer: nullable(customerRequest),
  order: nullable(orderRequest),
  metadata: nullable(jsonObject),
});

export type RollbackRequest = typeof rollbackRequest extends Reader<infer T> ? T : never;

/** Reads body and query; the body wins. Refuses `invalid_payload`. */
export const parseRollbackRequest = (
  body: unknown,
  query: { reason?: string; tracking_id?: string },
): RollbackRequest | QualificationRefusal =>
  parsePayload((value, path) => ({ ...query, ...rollbackRequest(value ?? {}, path) }), body);
