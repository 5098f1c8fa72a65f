import type { CampaignSnapshot, VoucherSnapshot } from '@scrip/contracts/campaigns';
import type { ClaimAsks, SpentOn } from '@scrip/contracts/claims';
import type { PromotionStackSnapshot, RedeemedTier } from '@scrip/contracts/promotions';
import type { CategorySnapshot, Metadata } from '@scrip/contracts/snapshot';
import type { Redeemable, RedeemableResult } from '@scrip/order-calculation';
import type { IncentiveLabel } from '@scrip/rules';
import type { QualificationRefusal } from '../qualification.refusals';

/** What decides about a redeemable by itself. `usesAreClaimed`: limits that the owner counts, and what comes
 *  after them, are left to the owner's claim, because loaded counts include uses that may yet be given back. `customerId`: who asks,
 *  empty for a customer who is not stored, null for none. */
export interface Conditions {
  now: Date;
  timezone: string;
  usesAreClaimed: boolean;
  customerId: string | null;
}

/** What the request says of a redeemable. `credits`: wanted of a gift card. `ownerDecides`: what is left of it is checked by
 *  the owner's claim, because what was loaded leaves out what redemptions under way may yet give back. */
export interface Wanted {
  credits?: number | undefined;
  ownerDecides: boolean;
}

/** What a claim is for. `spentOn`: of its credits. `customerId`: null without customer. `session`: whose hold it uses up; null for none. */
export interface Use {
  spentOn: SpentOn;
  customerId: string | null;
  session: string | null;
}

/** How redemptions, orders and answers show a redeemable. */
export interface Described {
  related: { type: 'voucher' | 'promotion_tier'; id: string; parentId: string | null };
  /** Null for redeemables that are no vouchers. */
  voucher: VoucherSnapshot | null;
  /** Of tiers. */
  tier?: RedeemedTier;
  /** That the tier was asked for with. */
  stack?: PromotionStackSnapshot;
  /** What tiers are called. */
  name?: string;
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
  readonly object: 'voucher' | 'promotion_tier';
  /** What its ids begin with; what begins otherwise does not exist. Absent: names are anything. */
  readonly idPrefix?: string;
  /** The registered name of the owner that loads it, and takes its claims where it has some. */
  readonly participant: string;
  calculable(facts: Facts, wanted: Wanted): Pick<Redeemable, 'id' | 'incentive' | 'categories' | 'facts'>;
  /** The first check that fails, in the interface's order; checks that need the order are the calculation's. */
  unusable(facts: Facts, conditions: Conditions): QualificationRefusal | null;
  /** What applying it takes from its owner; null where nothing has to be claimed. `use`: what it is for. */
  asks(facts: Facts, result: RedeemableResult, use: Use): { object_id: string; asks: ClaimAsks } | null;
  describe(facts: Facts): Described;
  /** What refusals by rules call it. Source: reference 02 §4.4. */
  label(facts: Facts): IncentiveLabel;
  /** Whether it was published to this customer. `customerId`: as in `Conditions`. */
  isHeldBy(facts: Facts, customerId: string | null): boolean;
}

/** One thing that a request names and that stands for several. `Facts`: what its owner's `load` returns. Pure. */
export interface StackKind<Facts = unknown> {
  readonly object: 'promotion_stack';
  readonly idPrefix: string;
  readonly participant: string;
  /** What it stands for, in the order of application: ids, and facts as the owner of the kind would return them. */
  expand(facts: Facts): { kind: RedeemableKind; id: string; found: unknown }[];
}
