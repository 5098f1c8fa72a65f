import { isRefused, refuse } from '@scrip/kernel';
import { identifier, instant, namedShape, nullable, parsePayload, type Reader } from '@scrip/wire/requests';
import type { QualificationRefusal } from '../qualification.refusals';
import {
  redeemablesExample,
  redeemablesProperties,
  type RedeemablesRequest,
  wrongRedeemables,
} from '../request/redeemables-request';

/** Body of POST /v1/explanations: what a validation takes, or a failed redemption. Source: reference 03 §5.5. */
export const explanationRequest = namedShape('ExplanationRequest', {
  ...redeemablesProperties,
  redeemables: nullable(redeemablesProperties.redeemables),
  at: nullable(instant),
  redemption_id: nullable(identifier),
});

/** A body that works once the code exists. */
export const explanationExample = { ...redeemablesExample, at: '2026-03-31T10:00:00Z' };

/** Days that every time zone and the database can name, and the first days of their weeks. */
const days = { first: '0002-01-01', last: '9998-12-31' };

const dayMustBeNamed = (at: Date | undefined): QualificationRefusal | null => {
  const day = at?.toISOString().slice(0, 10) ?? days.first;
  return day < days.first || day > days.last
    ? refuse('invalid_payload', `Property .at must be from ${days.first} to ${days.last}`)
    : null;
};

type Body = typeof explanationRequest extends Reader<infer T> ? T : never;

/** What is to be explained: a request as of an instant (absent: now), or a failed redemption. */
export type ExplanationRequest =
  { redemptionId: string } | { request: RedeemablesRequest; at: Date | undefined };

const asRequest = ({ redemption_id, at, redeemables, ...rest }: Body): ExplanationRequest | null => {
  const others = Object.values({ ...rest, at }).some((value) => value !== undefined);
  if (redeemables) return redemption_id === undefined ? { request: { ...rest, redeemables }, at } : null;
  return redemption_id === undefined || others ? null : { redemptionId: redemption_id };
};

/** Reads a body. Refuses `invalid_payload` where it names neither redeemables nor a redemption, or more than one of both, and what a
 *  validation refuses. */
export const parseExplanationRequest = (body: unknown): ExplanationRequest | QualificationRefusal => {
  const read = parsePayload(explanationRequest, body);
  if (isRefused(read)) return read;
  const asked = asRequest(read);
  if (!asked)
    return refuse(
      'invalid_payload',
      'Payload must have the property redeemables, or redemption_id and nothing else',
    );
  const wrong = 'request' in asked ? (dayMustBeNamed(asked.at) ?? wrongRedeemables(asked.request)) : null;
  return wrong ?? asked;
};
