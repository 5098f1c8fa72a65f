import type { Refusal } from '@scrip/kernel';
import { customerRequest } from './customer-request';
import { orderRequest } from './order-request';
import { type Reader, identifier, jsonObject, nullable, parsePayload, shape, text } from './payload-reader';

/** Body of POST /v1/redemptions/{id}/rollback and …/rollbacks; all of it may be missing. Source: spec 03 §9. */
export const rollbackRequest = shape({
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
): RollbackRequest | Refusal =>
  parsePayload((value, path) => ({ ...query, ...rollbackRequest(value ?? {}, path) }), body);
