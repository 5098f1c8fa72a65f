import type { RequestContext } from '@scrip/kernel';
import type { CampaignSnapshot } from './campaign.snapshot';
import type { RedeemableVoucher } from './campaigns.port';
import type { HolderSnapshot } from './publication.snapshot';

/** A code that a customer has a part in. */
export interface HeldVoucher extends RedeemableVoucher {
  holder_role: HolderSnapshot['role'];
}

/** Which codes of a customer are asked for. `among` BULK: those of campaigns with many codes, without referral codes of which the customer is the
 *  referrer; ALL: every one. */
export interface HeldWanted {
  customer_id: string;
  among: 'BULK' | 'ALL';
  /** Goes on behind this code; null: from the newest one on. */
  after: { created_at: string; id: string } | null;
  /** At most `qualifyingPerCall`. */
  limit: number;
}

/** What qualifications ask of campaigns. Source: reference 02 §8. */
export interface QualifyingPort {
  /** Returns campaigns and vouchers by their ids, at most `qualifyingPerCall` together, by a statement for each kind; those that do not
   *  exist are left out. `vouchers_count` of the campaigns leaves out codes added singly. */
  loadQualifying(
    context: RequestContext,
    request: { campaigns: readonly string[]; vouchers: readonly string[] },
  ): Promise<{ campaigns: CampaignSnapshot[]; vouchers: RedeemableVoucher[] }>;

  /** Returns a page of the codes that a customer holds, the newest code first, of one instant the later id first. */
  listHeld(context: RequestContext, request: HeldWanted): Promise<{ held: HeldVoucher[] }>;
}

/** Candidates of one call. */
export const qualifyingPerCall = 200;

export const qualifyingMethods = ['loadQualifying', 'listHeld'] as const satisfies (keyof QualifyingPort)[];
