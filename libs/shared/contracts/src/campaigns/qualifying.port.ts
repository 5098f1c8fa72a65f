import type { RequestContext } from '@scrip/kernel';
import { answersInParts } from '../answers-in-parts';
import type { CampaignSnapshot } from './campaign.snapshot';
import type { HolderSnapshot } from './publication.snapshot';
import type { RedeemableVoucher } from './redeemable-voucher';

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

/** A campaign, or a voucher, that may qualify. */
export interface QualifyingObject {
  type: 'campaign' | 'voucher';
  id: string;
}

/** What there is of one; null: nothing. `vouchers_count` of campaigns leaves out codes added singly, unless they are asked for. */
export type QualifyingFound = { campaign: CampaignSnapshot } | RedeemableVoucher | null;

/** A page of what a customer holds. `next`: where the next one begins; null: there is none. */
export interface HeldPage {
  held: HeldVoucher[];
  next: HeldWanted['after'];
}

/** What qualifications ask of campaigns. Source: reference 02 §8. */
export interface QualifyingPort {
  /** Returns the first of these, at most `qualifyingPerCall`, in the order asked, as many as fit one answer and at least one; by a
   *  statement for each type. `countsCodes`: `vouchers_count` of the campaigns has all codes. `loadAllQualifying` asks for all. */
  loadQualifying(
    context: RequestContext,
    request: { objects: readonly QualifyingObject[]; countsCodes?: boolean },
  ): Promise<QualifyingFound[]>;

  /** Returns a page of the codes that a customer holds, the newest code first, of one instant the later id first; no more than fit one
   *  answer. */
  listHeld(context: RequestContext, request: HeldWanted): Promise<HeldPage>;
}

/** Loads all of these, at most `qualifyingPerCall`: by one call, or several where they are large. */
export const loadAllQualifying = (
  port: QualifyingPort,
  context: RequestContext,
  objects: readonly QualifyingObject[],
  { countsCodes = false }: { countsCodes?: boolean } = {},
): Promise<QualifyingFound[]> =>
  answersInParts(objects, (part) => port.loadQualifying(context, { objects: part, countsCodes }));

/** Candidates of one call. */
export const qualifyingPerCall = 200;

export const qualifyingMethods = ['loadQualifying', 'listHeld'] as const satisfies (keyof QualifyingPort)[];
