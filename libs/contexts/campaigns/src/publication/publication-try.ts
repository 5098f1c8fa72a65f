import type { CampaignSnapshot, PublicationSnapshot, VoucherSnapshot } from '@scrip/contracts/campaigns';
import type { Refusal, RequestContext } from '@scrip/kernel';
import type { CandidateCode } from '../generation/free-codes';
import type { CampaignKey } from './campaign-key';
import type { PublicationRequest } from './publication-request';

/** What is to be published, and the customer who gets it. */
export interface Publishing {
  id: string;
  customer_id: string;
  request: PublicationRequest;
  campaign: CampaignSnapshot | null;
  /** The voucher that is named; null where the campaign is. */
  voucherId: string | null;
  joinOnce: boolean;
  now: Date;
  /** Told what a try comes to while that is written. It counts only where the try returns it. */
  foreseen?: (published: Published) => void;
}

/** How one try goes about a campaign without free codes. */
export interface Supply {
  patient: boolean;
  /** Codes that may be made where too few are free. */
  codes: readonly CandidateCode[];
}

/** One try of one caller. */
export interface Try {
  context: RequestContext;
  publishing: Publishing;
  supply: Supply;
}

/** Why an attempt is stored as a failed publication. Source: reference 04 §8.1, 6 and 7. */
export type FailureKey =
  | 'voucher_cannot_be_published'
  | 'voucher_already_published'
  | 'voucher_disabled'
  | 'no_voucher_suitable_for_publication';

/** A publication that was written, and its vouchers as they are after it. */
export interface Published {
  published: PublicationSnapshot;
  vouchers: VoucherSnapshot[];
}

/** Nothing of a try was written. `earlier`: the publication that answers it; `short`: so many codes were missing. */
export type NotPublished = { earlier: string } | { short: number } | Refusal<FailureKey | 'not_found'>;

/** What came of a try. */
export type Tried = Published | NotPublished;

/** How many codes a try asks for. */
export const countOf = ({ publishing: { request } }: Try): number =>
  'count' in request.source ? request.source.count : 1;

/** Whether an earlier publication of the customer in the campaign ends a try. */
export const isJoinedOnce = ({ publishing: { joinOnce, campaign } }: Try): boolean =>
  joinOnce || campaign?.join_once === true;

/** By which publication its customer may join the campaign. */
export const membershipOf = ({ publishing: { id, customer_id } }: Try) => ({
  customer_id,
  publication_id: id,
});

/** The campaign that a try publishes from. Throws where it has none. */
export const campaignKeyOf = ({ context, publishing: { id, campaign } }: Try): CampaignKey => {
  if (!campaign) throw new Error(`publication ${id} names neither a voucher nor a campaign`);
  return { project_id: context.project.id, campaign_id: campaign.id };
};
