import type { ItemReference } from '../catalogue/item-reference';
import type { ApplicationEffect, ScopedItem } from './item-scope';

/** Units of one line as answers list them, from 1; left out where the order has too many. Source: reference 01 §6. */
export interface ListedUnits {
  index: number;
  units?: number[];
  units_limit_exceeded?: true;
}

/** One definition, or one product or SKU that a collection matched, as answers list it. Source: reference 01 §6. */
export interface ScopeListEntry extends Omit<
  ScopedItem,
  'object' | 'id' | 'source_id' | 'strict' | 'effect'
> {
  object: ItemReference['object'];
  id: string;
  source_id?: string;
  product_id?: string;
  product_source_id?: string;
  strict: boolean;
  effect: ApplicationEffect;
  order_item_indices?: number[];
  order_item_units?: ListedUnits[];
}

/** A list object of the interface. */
export interface ScopeList {
  object: 'list';
  data_ref: 'data';
  data: ScopeListEntry[];
  total: number;
}
