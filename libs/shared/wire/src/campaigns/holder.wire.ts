import type { CampaignType, HolderRole, HolderSnapshot, VoucherType } from '@scrip/contracts/campaigns';
import type { Instant, Metadata } from '@scrip/contracts/snapshot';

/** A customer's part in a code, in activities and in what the customer holds. */
export interface HolderResponse {
  /** `rh_…` */
  id: string;
  created_at: Instant;
  /** The voucher's id. */
  redeemable_id: string;
  redeemable_object: 'voucher';
  campaign_id: string | null;
  campaign_type: CampaignType | null;
  voucher_type: VoucherType;
  publication_id: string | null;
  customer_id: string;
  holder_role: HolderRole;
  object: 'redeemable_holder';
}

/** A customer's part in a code. Source: reference 04 §11. */
export const renderHolder = (holder: HolderSnapshot): HolderResponse => ({
  id: holder.id,
  created_at: holder.created_at,
  redeemable_id: holder.voucher_id,
  redeemable_object: 'voucher',
  campaign_id: holder.campaign_id,
  campaign_type: holder.campaign_type,
  voucher_type: holder.voucher_type,
  publication_id: holder.publication_id,
  customer_id: holder.customer_id,
  holder_role: holder.role,
  object: 'redeemable_holder',
});

/** A customer's part in a referral code, as calls about that code show it. */
export interface ListedHolderResponse extends Omit<HolderResponse, 'publication_id'> {
  metadata: Metadata;
}

/** Those who were added to a code, in the order sent. */
export interface AssignedHoldersResponse {
  holders: ListedHolderResponse[];
}

/** A holder as calls about a code show it. Source: reference 04 §11. */
export const renderListedHolder = (holder: HolderSnapshot): ListedHolderResponse => {
  const { publication_id: _, ...shown } = renderHolder(holder);
  return { ...shown, metadata: holder.metadata ?? {} };
};
