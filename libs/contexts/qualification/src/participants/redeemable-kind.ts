import type { CampaignSnapshot, VoucherSnapshot } from '@scrip/contracts/campaigns';
import type { ClaimAsks } from '@scrip/contracts/claims';
import type { CategorySnapshot, Metadata } from '@scrip/contracts/snapshot';
import type { Redeemable, RedeemableResult } from '@scrip/order-calculation';
import type { QualificationRefusal } from '../qualification.refusals';

/** What decides about a redeemable by itself. `usesAreClaimed`: limits that the owner counts are left to the owner's
 *  claim, because loaded counts include uses that may yet be given back. */
export interface Conditions {
  now: Date;
  timezone: string;
  usesAreClaimed: boolean;
}

/** How redemptions, orders and answers show a redeemable. */
export interface Described {
  related: { type: 'voucher' | 'promotion_tier'; id: string; parentId: string | null };
  /** Null for redeemables that are no vouchers. */
  voucher: VoucherSnapshot | null;
  campaign: CampaignSnapshot | null;
  metadata: Metadata;
  campaignName: string | null;
  campaignId: string | null;
  categories: CategorySnapshot[];
}

/** One kind of thing that can be redeemed: where it is loaded, what the calculation makes of it and what is claimed.
 *  `Facts`: what its owner's `load` returns. Pure. Source: architecture §8. */
export interface RedeemableKind<Facts = unknown> {
  /** As requests name it. */
  readonly object: 'voucher' | 'promotion_tier' | 'promotion_stack';
  /** The registered name of the owner that loads it and takes its claims. */
  readonly participant: string;
  calculable(facts: Facts): Pick<Redeemable, 'id' | 'incentive' | 'categories'>;
  /** The first check that fails, in the interface's order; checks that need the order are the calculation's. */
  unusable(facts: Facts, conditions: Conditions): QualificationRefusal | null;
  /** What applying it takes from its owner; null where nothing has to be claimed. */
  asks(facts: Facts, result: RedeemableResult): { object_id: string; asks: ClaimAsks } | null;
  describe(facts: Facts): Described;
}
