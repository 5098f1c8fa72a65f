import type { Instant } from '../snapshot';
import type { CampaignSnapshot } from './campaign.snapshot';
import type { HolderSnapshot, PublicationSnapshot } from './publication.snapshot';
import type { VoucherSnapshot } from './voucher.snapshot';

/** Codes and their holders: one stream per publication. Source: reference 06 §9.2. */
export type PublicationEvent = PublicationSucceeded | PublicationFailed | HolderAssigned | HolderUnassigned;

/** Codes were assigned to a customer. Each has a VoucherPublished in its own stream. */
export interface PublicationSucceeded {
  type: 'PublicationSucceeded';
  data: {
    publication: PublicationSnapshot;
    /** The vouchers right after it, in the order of `publication.vouchers`. */
    vouchers: VoucherSnapshot[];
    /** Null for a voucher without a campaign. */
    campaign: CampaignSnapshot | null;
  };
}

/** An attempt was refused, and nothing was assigned. */
export interface PublicationFailed {
  type: 'PublicationFailed';
  data: {
    publication: PublicationSnapshot;
    /** Null for a voucher without a campaign. */
    campaign: CampaignSnapshot | null;
  };
}

/** A customer got a part in a code: with its publication, or later as a referee. */
export interface HolderAssigned {
  type: 'HolderAssigned';
  data: {
    holder: HolderSnapshot;
    /** The code; null for codes that are no referral codes. */
    voucher: VoucherSnapshot | null;
    /** Its campaign; null as `voucher` is, and for a code without a campaign. */
    campaign: CampaignSnapshot | null;
  };
}

/** A referee was taken off a code. */
export interface HolderUnassigned {
  type: 'HolderUnassigned';
  data: {
    holder: HolderSnapshot;
    voucher: VoucherSnapshot;
    campaign: CampaignSnapshot;
  };
}

/** The code was assigned to a customer; a code is published once at most. */
export interface VoucherPublished {
  type: 'VoucherPublished';
  data: {
    publication_id: string;
    /** The customer. */
    holder_id: string;
    /** The same customer where the code is a referral code, else null. */
    referrer_id: string | null;
    /** The voucher's dates from then on: its own, or those that the campaign gives published codes. */
    start_date: Instant | null;
    expiration_date: Instant | null;
    /** Credits of a gift card that the customer can spend, minor units. Absent of other vouchers, and in events of earlier releases. */
    gift_balance?: number;
    /** Business time, the voucher's `updated_at` from then on. */
    published_at: Instant;
  };
}
