import type { CustomerInput } from '@scrip/contracts/customers';
import {
  type Reader,
  customerRequest,
  described,
  identifier,
  integerFrom,
  jsonObject,
  namedShape,
  nullable,
  parsePayload,
  required,
  text,
  nameOr,
} from '@scrip/wire/requests';
import { type Refusal, isRefused, refuse } from '@scrip/kernel';
import type { Metadata } from '@scrip/contracts/snapshot';

/** Most codes of one publication. Source: reference 04 §8.1. */
export const codesPerPublicationMax = 50;

const customerId = /^cust_[0-9a-f]{32}$/;

/** A customer's own id, or the id that the caller gave. */
const customerNamed = (name: string): CustomerInput =>
  customerId.test(name) ? { id: name } : { source_id: name };

const campaignShape = namedShape('PublicationCampaignRequest', {
  name: required(text),
  count: nullable(integerFrom(1, codesPerPublicationMax)),
});

/** What of a request names a campaign. */
export const campaignRequest: Reader<{ name: string; count?: number }> = nameOr(
  (name) => ({ name }),
  campaignShape,
);

/** Body of POST /v1/publications. */
export const publicationRequest = namedShape('PublicationRequest', {
  voucher: nullable(described(text, 'The code, or its id. Where it is sent, `campaign` does not count.')),
  campaign: nullable(described(campaignRequest, 'Name or id, alone or with `count`.')),
  customer: required(nameOr(customerNamed, customerRequest)),
  source_id: nullable(
    described(
      identifier,
      'Your own id of the publication. Repeated with the same customer and the same voucher or campaign, it answers the stored publication.',
    ),
  ),
  channel: nullable(identifier),
  metadata: nullable(jsonObject),
});

/** What a publication takes codes from. */
export type RequestedSource = { voucher: string } | { campaign: string; count: number };

/** A publication as a caller asks for it. */
export interface PublicationRequest {
  source: RequestedSource;
  customer: CustomerInput;
  source_id: string | null;
  channel: string;
  metadata: Metadata;
}

/** What is wrong with a request whose properties fit. */
export type RequestRefusalKey = 'invalid_payload' | 'missing_vouchers' | 'too_many_vouchers_requested';

/** More than one code is asked for where there can be one only. */
export const tooManyVouchers = () => refuse('too_many_vouchers_requested', 'Only up to 1 can be published');

/** Whether an inline customer says anything. */
const isSomebody = (customer: CustomerInput): boolean =>
  Object.values(customer).some((value) => value !== undefined && value !== null && value !== '');

/** Reads a body. Refuses in the order of reference 04 §8.1, 1 to 3. */
export const readPublicationRequest = (body: unknown): PublicationRequest | Refusal<RequestRefusalKey> => {
  const read = parsePayload(publicationRequest, body);
  if (isRefused(read)) return read;
  const { voucher, campaign, customer, source_id = null, channel = 'API', metadata = {} } = read;
  if (!isSomebody(customer)) {
    return refuse('invalid_payload', "Property .customer should have required property 'source_id'");
  }
  if (!voucher && !campaign) return refuse('missing_vouchers', 'Either Campaign or Voucher is required');
  const source: RequestedSource = voucher
    ? { voucher }
    : { campaign: campaign!.name, count: campaign!.count ?? 1 };
  if ('campaign' in source && source.count > 1 && source_id) return tooManyVouchers();
  return { source, customer, source_id: source_id || null, channel, metadata };
};
