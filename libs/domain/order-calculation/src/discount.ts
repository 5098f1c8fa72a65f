/** Percent: 0 to 100, fractions allowed. */
export type Percentage = number;

/** Takes `amount_off` minor units away. Source: reference 01 §5. */
export interface AmountDiscount {
  type: 'AMOUNT';
  amount_off: number;
  amount_off_formula?: string;
  aggregated_amount_limit?: number;
  effect?:
    | 'APPLY_TO_ORDER'
    | 'APPLY_TO_ITEMS'
    | 'APPLY_TO_ITEMS_PROPORTIONALLY'
    | 'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY'
    | 'APPLY_TO_ITEMS_BY_QUANTITY';
  is_dynamic?: boolean;
}

/** Takes `percent_off` percent away, at most `amount_limit` minor units. Source: reference 01 §5. */
export interface PercentDiscount {
  type: 'PERCENT';
  percent_off: Percentage;
  percent_off_formula?: string;
  amount_limit?: number;
  aggregated_amount_limit?: number;
  effect?: 'APPLY_TO_ORDER' | 'APPLY_TO_ITEMS';
  is_dynamic?: boolean;
}

/** Sets a total or unit price of `fixed_amount` minor units. Source: reference 01 §5. */
export interface FixedDiscount {
  type: 'FIXED';
  fixed_amount: number;
  fixed_amount_formula?: string;
  effect?: 'APPLY_TO_ORDER' | 'APPLY_TO_ITEMS';
  is_dynamic?: boolean;
}

/** The product or SKU that free units are units of. `name`: the SKU's own (`sku`), for a SKU; its id where it has none. */
export interface UnitRecord {
  id: string;
  source_id?: string;
  name: string;
}

/** What `unit_type` names, as answers show it; a SKU comes with its product. Source: reference 01 §7. */
export interface ShownUnit {
  product?: UnitRecord;
  sku?: UnitRecord & { sku?: string };
}

/** Gives free units. Source: reference 01 §5, §7. */
export interface UnitDiscount extends ShownUnit {
  type: 'UNIT';
  unit_off?: number;
  unit_off_formula?: string;
  unit_type?: string;
  effect?: 'ADD_MISSING_ITEMS' | 'ADD_NEW_ITEMS' | 'ADD_MANY_ITEMS' | 'ADD_SAME_ITEMS' | 'REPLACE_ITEMS';
  units?: (ShownUnit & {
    unit_off?: number;
    unit_off_formula?: string;
    effect: 'ADD_NEW_ITEMS' | 'ADD_MISSING_ITEMS';
    unit_type: string;
  })[];
  is_dynamic?: boolean;
}

/** A discount as the API knows it. Amounts: minor units; percentages 0…100. Source: reference 01 §5. */
export type Discount = AmountDiscount | PercentDiscount | FixedDiscount | UnitDiscount;
