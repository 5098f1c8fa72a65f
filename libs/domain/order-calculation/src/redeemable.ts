import type { FormulaContext } from '@scrip/formulas';
import type { Refusal } from '@scrip/kernel/pure';
import type { CalculationRefusalKey } from './calculation-refusals';
import type { BundleResult, BundleRules } from './bundles/bundle-rules';
import type { Discount } from './discount';
import type { CalculatedOrder } from './order/order';
import type { OrderDifference } from './order/order-difference';
import type { ScopeList } from './scoping/scope-list';
import type { ItemScope } from './scoping/item-scope';
import type { RedeemableCategory } from './stacking/categories';
import type { SkipReason } from './stacking/skip-reasons';

/** A gift card's part of the request. `balance`: credits on the card, minor units; `locked`: held by other sessions;
 *  `credits`: wanted, absent = as many as the order takes. Source: reference 01 §7. */
export interface GiftIncentive {
  readonly gift: {
    readonly balance: number;
    readonly locked?: number;
    readonly credits?: number;
    readonly effect?: 'APPLY_TO_ORDER' | 'APPLY_TO_ITEMS';
  };
}

/** A loyalty card's part: points paid as money (COIN: `exchange_ratio` major units per `points_ratio` points), or a
 *  reward that leaves the order alone and costs `points`; null: no reward was named. Source: reference 01 §7. */
export interface RewardIncentive {
  readonly reward:
    | {
        readonly type: 'COIN';
        readonly exchange_ratio: number;
        readonly points_ratio: number;
        readonly balance: number;
        readonly points?: number;
      }
    | { readonly type: 'OTHER'; readonly balance: number; readonly points: number }
    | null;
}

/** What a redeemable gives. */
export type Incentive = { readonly discount: Discount } | GiftIncentive | RewardIncentive;

/** What formulas may read of a redeemable. */
export type RedeemableFacts = Pick<
  FormulaContext,
  'redeemableMetadata' | 'publicationMetadata' | 'voucher' | 'promotionTier'
>;

/** One entry of a request, with everything known of it. `incentive` null: nothing is known that could be applied.
 *  Source: reference 01 §1, §10. */
export interface Redeemable {
  readonly object: 'voucher' | 'promotion_tier';
  readonly id: string;
  readonly incentive: Incentive | null;
  /** Whose unit budgets it shares; absent: it is its own campaign. */
  readonly campaignId?: string;
  /** Its own, else its campaign's. */
  readonly categories?: readonly RedeemableCategory[];
  /** Absent: the whole order. */
  readonly scope?: ItemScope;
  readonly bundle?: BundleRules;
  readonly facts?: Partial<RedeemableFacts>;
}

/** Several tiers under one name: they are processed in this order and reported one by one. `categories`, where the
 *  stack has any, replace those of the tiers. Source: reference 01 §10. */
export interface PromotionStack {
  readonly object: 'promotion_stack';
  readonly id: string;
  readonly tiers: readonly Redeemable[];
  readonly categories?: readonly RedeemableCategory[];
}

/** What an applicable redeemable gave, as answers show it. Source: reference 01 §7–§9. */
export interface RedeemableResult {
  discount?: Discount;
  gift?: { balance: number; credits: number };
  loyalty_card?: { points: number };
  bundle?: BundleResult;
}

/** What became of one redeemable. `order`: the order right after it, `applied_*` of this redeemable alone; null where
 *  the request has no order. `difference`: what this redeemable alone did to it. `bundle`: present where a bundle was looked for.
 *  What is read-only is made when it is first read: a caller pays for what it shows. Source: reference 01 §10. */
export type CalculatedRedeemable<CheckKey extends string = string> = Pick<Redeemable, 'object' | 'id'> &
  (
    | {
        status: 'APPLICABLE';
        readonly order: CalculatedOrder | null;
        readonly difference: OrderDifference | null;
        readonly applicable_to: ScopeList;
        readonly inapplicable_to: ScopeList;
        result: RedeemableResult;
      }
    | { status: 'INAPPLICABLE'; refusal: Refusal<CalculationRefusalKey | CheckKey>; bundle?: BundleResult }
    | { status: 'SKIPPED'; reason: SkipReason }
  );
