import type { CalculatedOrder, Discount, StackingSettings, normaliseOrder } from '@scrip/order-calculation';
import type { ValidationRuleDefinition } from '@scrip/rules';
import type { ValidityWindows } from '@scrip/vouchers';

type Metadata = Readonly<Record<string, unknown>>;
type OrderInput = Parameters<typeof normaliseOrder>[0];

/** A category of a redeemable; a lower `hierarchy` comes earlier. */
export interface CategoryEntry {
  readonly id: string;
  readonly hierarchy: number;
  readonly name?: string;
}

/** What vouchers and tiers have in common. `start_date`, `expiration_date`: instants in UTC, or days. */
interface IncentiveEntry extends Partial<ValidityWindows> {
  readonly id: string;
  /** Whose limits and unit budgets it shares; absent: it is its own campaign. */
  readonly campaign_id?: string;
  /** Its own, else its campaign's. */
  readonly categories?: readonly CategoryEntry[];
  readonly metadata?: Metadata;
  readonly active?: boolean;
  readonly start_date?: string | null;
  readonly expiration_date?: string | null;
  /** Its own and its campaign's, as `POST /v1/validation-rules` takes them; an `id` may be added. */
  readonly validation_rules?: readonly (ValidationRuleDefinition & { readonly id?: string })[];
  /** What its limits counted so far, by the rule's name (`"redemption.count.per_customer": 1`); amounts in minor units. */
  readonly counters?: Readonly<Record<string, number>>;
  /** Units that its budgets counted so far, by limit, then by what is counted: `product:prod_1`, `sku:sku_1`,
   *  `products_collection:pc_1`, or each product of a collection as `products_collection:pc_1/product:prod_1`. */
  readonly units_used?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** A voucher with one of `discount`, `gift` and `loyalty_card`. */
export interface VoucherEntry extends IncentiveEntry {
  readonly object: 'voucher';
  readonly discount?: Discount;
  /** `balance`: credits on the card, minor units; `locked`: held by other sessions; `credits`: wanted by this request. */
  readonly gift?: {
    readonly amount?: number;
    readonly balance: number;
    readonly locked?: number;
    readonly effect?: 'APPLY_TO_ORDER' | 'APPLY_TO_ITEMS';
    readonly credits?: number;
  };
  /** `balance`: points on the card. */
  readonly loyalty_card?: { readonly points?: number; readonly balance: number };
  /** What the points of the loyalty card are spent on; `points`: sent by this request, else as many as needed. */
  readonly reward?: {
    readonly id?: string;
    readonly type: 'COIN' | 'DIGITAL' | 'MATERIAL' | 'CAMPAIGN';
    readonly parameters?: {
      readonly coin?: { readonly exchange_ratio: number; readonly points_ratio: number };
    };
    readonly points?: number;
  };
  /** `quantity` null: unlimited. */
  readonly redemption?: { readonly quantity?: number | null; readonly redeemed_quantity?: number };
  readonly publish?: { readonly count: number };
  /** That of the publication, for formulas. */
  readonly publication?: { readonly metadata: Metadata };
  /** Whether the customer holds this voucher. */
  readonly held_by_customer?: boolean;
}

/** A promotion tier. */
export interface PromotionTierEntry extends IncentiveEntry {
  readonly object: 'promotion_tier';
  readonly discount: Discount;
}

/** Tiers under one name, in stored order; categories of the stack replace theirs. */
export interface PromotionStackEntry {
  readonly object: 'promotion_stack';
  readonly id: string;
  readonly categories?: readonly CategoryEntry[];
  readonly tiers: readonly PromotionTierEntry[];
}

/** Products and SKUs of the project, and the collections that hold them. Prices: minor units. */
export interface CatalogueEntries {
  readonly products?: readonly {
    readonly id: string;
    readonly source_id?: string;
    readonly name?: string;
    readonly price?: number;
    readonly metadata?: Metadata;
  }[];
  readonly skus?: readonly {
    readonly id: string;
    readonly product_id: string;
    readonly source_id?: string;
    readonly sku?: string;
    readonly price?: number;
    readonly metadata?: Metadata;
  }[];
  /** `products`, `skus`: ids. */
  readonly collections?: readonly {
    readonly id: string;
    readonly name?: string;
    readonly products?: readonly string[];
    readonly skus?: readonly string[];
  }[];
}

/** A calculation to try: what a caller would send to `POST /v1/validations`, by the names of the API, and what the
 *  project would have stored. Amounts: integers in minor units (1999 is 19.99). Only `redeemables` is required. */
export interface RequestFile {
  /** As `POST /v1/validations` takes it. */
  readonly order?: OrderInput & {
    readonly id?: string;
    readonly source_id?: string | null;
    readonly metadata?: Metadata;
  };
  /** An order that was calculated before, as the API shows it; `order` names it by `id` or `source_id`. */
  readonly stored_order?: CalculatedOrder & {
    readonly id?: string;
    readonly source_id?: string | null;
    readonly metadata?: Metadata;
  };
  /** Stored profile and sent fields in one. `segments`, `loyalty_tiers`: ids that hold the customer. */
  readonly customer?: {
    readonly metadata?: Metadata;
    readonly birthdate?: string;
    readonly birthday?: string;
    readonly segments?: readonly string[];
    readonly loyalty_tiers?: readonly string[];
  };
  /** Of the redemption. */
  readonly metadata?: Metadata;
  /** Application id of the calling key. */
  readonly api_key?: string;
  /** Login of the calling team member. */
  readonly user_login?: string;
  /** When the request comes; absent: now. An instant in UTC. */
  readonly now?: string;
  /** IANA name; absent: UTC. */
  readonly timezone?: string;
  readonly catalogue?: CatalogueEntries;
  /** What differs from the defaults. */
  readonly stacking_rules?: Partial<StackingSettings>;
  /** The project's own error texts, by error key. */
  readonly error_messages?: Readonly<Record<string, string>>;
  /** In the order of the request. */
  readonly redeemables: readonly (VoucherEntry | PromotionTierEntry | PromotionStackEntry)[];
}
