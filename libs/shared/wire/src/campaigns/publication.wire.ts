import type { PublicationSnapshot, PublishedValue, VoucherSnapshot } from '@scrip/contracts/campaigns';
import type { Instant, Metadata } from '@scrip/contracts/snapshot';
import type { CustomerBlocks, CustomerSnapshot } from '@scrip/contracts/customers';
import { type CustomerResponse, renderCustomer } from '../customers';
import type { VoucherAssets } from './voucher-assets';
import { renderVoucher, voucherForBrowsers, type VoucherResponse } from './voucher.wire';

/** Codes that were assigned to a customer. */
export interface PublicationResponse {
  id: string;
  object: 'publication';
  created_at: Instant;
  /** Null in answers to browsers. */
  customer_id: string | null;
  /** The customer's source id; absent where it has none, and in answers to browsers. */
  tracking_id?: string;
  metadata: Metadata;
  channel: string;
  /** The caller's own id of the publication. */
  source_id: string | null;
  result: 'SUCCESS';
  /** Null in answers to browsers. */
  customer: CustomerResponse | null;
  vouchers_id: string[];
  /** Of one code; absent of several, and where it was deleted since. */
  voucher?: VoucherResponse;
  /** Of several codes. */
  vouchers?: string[];
}

/** A publication as the call that made it answers. `vouchers`: those that exist. Source: reference 04 §8.1. */
export const renderPublication = ({
  publication,
  vouchers,
  customer,
  assets,
}: {
  publication: PublicationSnapshot;
  vouchers: readonly VoucherSnapshot[];
  /** Null: the answer names none. */
  customer: CustomerResponse | null;
  assets: (code: string) => VoucherAssets;
}): PublicationResponse => {
  const { id, created_at, customer_id, metadata, channel, source_id, vouchers: codes } = publication;
  const [first] = vouchers;
  return {
    id,
    object: 'publication',
    created_at,
    customer_id: customer && customer_id,
    ...(customer?.source_id === undefined ? {} : { tracking_id: customer.source_id }),
    metadata,
    channel,
    source_id,
    result: 'SUCCESS',
    customer,
    vouchers_id: codes.map((code) => code.id),
    ...(codes.length > 1 ? { vouchers: codes.map(({ code }) => code) } : {}),
    ...(codes.length === 1 && first ? { voucher: renderVoucher(first, assets(first.code)) } : {}),
  };
};

/** A publication as a browser may see it: a client-side key is public, so it names no customer and shows
 *  nothing that the shop notes of the voucher. Source: reference 07 §2.3. */
export const renderPublicationToBrowser = ({
  publication,
  vouchers,
  assets,
}: Omit<Parameters<typeof renderPublication>[0], 'customer'>): PublicationResponse =>
  renderPublication({
    publication,
    vouchers: vouchers.map(voucherForBrowsers),
    customer: null,
    assets,
  });

/** What lists of publications show of a voucher. */
export interface PublishedVoucherResponse extends Partial<PublishedValue> {
  code: string;
  object: 'voucher';
  campaign: string | null;
  is_referral_code: boolean;
}

/** A publication, or an attempt to publish, as lists show it. */
export interface ListedPublicationResponse {
  id: string;
  object: 'publication';
  created_at: Instant;
  customer_id: string;
  /** The customer's source id; absent where it has none. */
  tracking_id?: string;
  metadata: Metadata;
  channel: string;
  source_id: string | null;
  /** Null where it was deleted since. */
  customer: CustomerResponse | null;
  vouchers_id: string[];
  /** Of several codes, and of an attempt that failed: what it named. */
  vouchers?: string[];
  result: 'SUCCESS' | 'FAILURE';
  /** Of one code that was published. */
  voucher?: PublishedVoucherResponse;
  /** The error key of a failure. */
  failure_code?: string;
  failure_message?: string;
}

const publishedVoucher = ({
  vouchers: [only],
  value,
  campaign,
  is_referral_code,
}: PublicationSnapshot): { voucher?: PublishedVoucherResponse } => {
  if (!only || !value) return {};
  const { discount, gift, loyalty_card } = value;
  return {
    voucher: {
      code: only.code,
      object: 'voucher',
      campaign,
      ...(discount && { discount }),
      ...(gift && { gift }),
      ...(loyalty_card && { loyalty_card }),
      is_referral_code,
    },
  };
};

/** A publication as lists show it; `customer` is null where it was deleted since. Source: reference 04 §8.3. */
export const renderListedPublication = (
  publication: PublicationSnapshot,
  customer: CustomerResponse | null,
): ListedPublicationResponse => ({
  id: publication.id,
  object: 'publication',
  created_at: publication.created_at,
  customer_id: publication.customer_id,
  ...(customer?.source_id === undefined ? {} : { tracking_id: customer.source_id }),
  metadata: publication.metadata,
  channel: publication.channel,
  source_id: publication.source_id,
  customer,
  vouchers_id: publication.vouchers.map(({ id }) => id),
  ...(publication.vouchers.length > 1 || publication.result === 'FAILURE'
    ? { vouchers: publication.vouchers.map(({ code }) => code) }
    : {}),
  result: publication.result,
  ...publishedVoucher(publication),
  ...(publication.failure_code !== null && { failure_code: publication.failure_code }),
  ...(publication.failure_message !== null && { failure_message: publication.failure_message }),
});

/** A publication in webhooks and activities. */
export interface PublicationSubject {
  id: string;
  object: 'publication';
  created_at: Instant;
  customer_id: string;
  /** The customer's source id; absent where it has none. */
  tracking_id?: string;
  metadata: Metadata;
  channel: string;
  source_id: string | null;
  result: 'SUCCESS' | 'FAILURE';
  /** The error key of a failure. */
  failure_code?: string;
  failure_message?: string;
  /** Without what other facts count: the blocks are null. Null where it was deleted permanently since. */
  customer:
    (Omit<CustomerResponse, keyof CustomerBlocks> & { summary: null; loyalty: null; referrals: null }) | null;
  vouchers_id: string[];
}

/** What of a publication names no customer but by id. */
export type PublicationFact = Omit<PublicationSubject, 'tracking_id' | 'customer'>;

/** A publication without its customer, as activities are stored. */
export const publicationFact = (publication: PublicationSnapshot): PublicationFact => ({
  id: publication.id,
  object: 'publication',
  created_at: publication.created_at,
  customer_id: publication.customer_id,
  metadata: publication.metadata,
  channel: publication.channel,
  source_id: publication.source_id,
  result: publication.result,
  ...(publication.failure_code !== null && { failure_code: publication.failure_code }),
  ...(publication.failure_message !== null && { failure_message: publication.failure_message }),
  vouchers_id: publication.vouchers.map(({ id }) => id),
});

/** The same with the customer, null where there is none any more. Source: reference 06 §3, §8. */
export const publicationSubject = (
  fact: PublicationFact,
  customer: CustomerSnapshot | null,
): PublicationSubject => ({
  ...fact,
  ...(customer?.source_id ? { tracking_id: customer.source_id } : {}),
  customer: customer && { ...renderCustomer(customer), summary: null, loyalty: null, referrals: null },
});
