import type { ItemReference } from '../catalogue/item-reference';
import { allProductsCollection } from '../catalogue/line-identity';

/** In which sequence a definition covers lines, or which single resource it covers. Source: reference 01 §6. */
export type ApplicationEffect =
  | 'APPLY_TO_EVERY'
  | 'APPLY_TO_CHEAPEST'
  | 'APPLY_FROM_CHEAPEST'
  | 'APPLY_TO_MOST_EXPENSIVE'
  | 'APPLY_FROM_MOST_EXPENSIVE';

/** The limits that count discounted units over time: per campaign or tier, of all customers or each one, of the
 *  definition's units together or of each product of its collection. Source: reference 01 §6. */
export const unitBudgetLimits = [
  'product_campaign_quantity_limit',
  'product_customer_campaign_quantity_limit',
  'product_in_collection_campaign_quantity_limit',
  'product_in_collection_customer_campaign_quantity_limit',
  'product_promotion_tier_quantity_limit',
  'product_customer_promotion_tier_quantity_limit',
  'product_in_collection_promotion_tier_quantity_limit',
  'product_in_collection_customer_promotion_tier_quantity_limit',
] as const;

/** One of the eight. */
export type UnitBudgetLimit = (typeof unitBudgetLimits)[number];

/** A product, SKU or collection that discounts of items may touch, and how. Amounts: minor units; quantities: units;
 *  formulas fall back to the plain field. Source: reference 01 §6. */
export interface ScopedItem
  extends
    ItemReference,
    Partial<Record<UnitBudgetLimit, number>>,
    Partial<Record<`${UnitBudgetLimit}_formula`, string>> {
  /** Exactly this item: a product without its SKUs. */
  readonly strict?: boolean;
  readonly effect?: ApplicationEffect;
  readonly skip_initially?: number;
  readonly repeat?: number;
  readonly target?: 'ITEM' | 'UNIT';
  /** New price per unit, for FIXED discounts of items. */
  readonly price?: number;
  readonly price_formula?: string;
  readonly quantity_limit?: number;
  readonly aggregated_quantity_limit?: number;
  readonly amount_limit?: number;
  readonly aggregated_amount_limit?: number;
}

/** Which items a redeemable's discount may touch: the union of its rules' definitions. Nothing included: all lines,
 *  less the excluded. Source: reference 01 §6. */
export interface ItemScope {
  readonly included: readonly ScopedItem[];
  readonly excluded: readonly ItemReference[];
  readonly included_all: boolean;
}

/** The scope of a redeemable whose rules say nothing of items. */
export const wholeOrder: ItemScope = { included: [], excluded: [], included_all: false };

/** All products on no particular terms: what a scope covers that includes everything, or nothing in particular. */
export const everyProduct: ScopedItem = { object: 'products_collection', id: allProductsCollection };

const isEveryProduct = ({ object, id }: ItemReference): boolean =>
  object === 'products_collection' && id === allProductsCollection;

/** What a scope includes, in list order: its definitions, and behind them `everyProduct` where `included_all` adds it.
 *  Empty: all lines, on no particular terms. Source: reference 01 §6. */
export const definitionsOf = ({ included, included_all }: ItemScope): readonly ScopedItem[] =>
  included_all && !included.some(isEveryProduct) ? [...included, everyProduct] : included;
