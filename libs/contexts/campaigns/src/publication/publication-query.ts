import { IsAnything, IsFlag, IsText } from '@scrip/edge';
import { customerRequest } from '@scrip/wire/requests';
import { type Refusal, isRefused, refuse } from '@scrip/kernel';
import { IsOptional } from 'class-validator';
import {
  campaignRequest,
  type PublicationRequest,
  readPublicationRequest,
  type RequestRefusalKey,
  tooManyVouchers,
} from './publication-request';

/** Query of GET /v1/publications/create. Source: reference 04 §8.3. */
export class PublicationQuery {
  @IsOptional() @IsText({ max: 512 }) voucher?: string;
  @IsOptional() @IsAnything(campaignRequest.schema) campaign?: unknown;
  @IsOptional() @IsAnything({ anyOf: [{ type: 'string' }, customerRequest.schema] }) customer?: unknown;
  @IsOptional() @IsText({ max: 512 }) source_id?: string;
  @IsOptional() @IsText({ max: 512 }) channel?: string;
  @IsOptional() @IsFlag() join_once?: boolean;
  @IsOptional()
  @IsAnything({ type: 'object', additionalProperties: true, description: 'Values are texts.' })
  metadata?: unknown;
}

/** Reads a query as the publication of one code. Refuses as bodies are refused, but what does not fit as
 *  `invalid_query_params`. */
export const readPublicationQuery = ({
  join_once: _,
  ...sent
}: PublicationQuery): PublicationRequest | Refusal<RequestRefusalKey | 'invalid_query_params'> => {
  if (sent.customer === undefined)
    return refuse('invalid_query_params', "Query should have required property 'customer'");
  const request = readPublicationRequest(sent);
  if (isRefused(request)) {
    const { refused, details = '' } = request;
    return refused === 'invalid_payload' ? refuse('invalid_query_params', details) : request;
  }
  const { source } = request;
  return 'campaign' in source && source.count > 1 ? tooManyVouchers() : request;
};
