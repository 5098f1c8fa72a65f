import { IsAmount, IsDecimal, IsFlag, IsInteger, IsOneOf, IsText, Nested, NestedList } from '@scrip/edge';
import { IsOptional } from 'class-validator';

const effects = [
  'APPLY_TO_ORDER',
  'APPLY_TO_ITEMS',
  'APPLY_TO_ITEMS_PROPORTIONALLY',
  'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY',
  'APPLY_TO_ITEMS_BY_QUANTITY',
  'ADD_MISSING_ITEMS',
  'ADD_NEW_ITEMS',
  'ADD_MANY_ITEMS',
  'ADD_SAME_ITEMS',
  'REPLACE_ITEMS',
];

/** What `unit_type` names; ignored, as it is found when it is calculated. */
class ProductBody {
  @IsText({ max: 256 }) id!: string;
  @IsOptional() @IsText({ max: 1_024 }) source_id?: string;
  @IsOptional() @IsText({ max: 1_024 }) name?: string;
}

/** One kind of free units among several. */
export class UnitBody {
  @IsOptional() @IsInteger({ min: 0 }) unit_off?: number;
  @IsOptional() @IsText({ max: 4_096 }) unit_off_formula?: string;
  @IsOneOf(['ADD_NEW_ITEMS', 'ADD_MISSING_ITEMS']) effect!: 'ADD_NEW_ITEMS' | 'ADD_MISSING_ITEMS';
  @IsText({ max: 256 }) unit_type!: string;
  @IsOptional() @Nested(() => ProductBody) product?: ProductBody;
  @IsOptional() @Nested(() => ProductBody) sku?: ProductBody;
}

/** Every kind of discount; which fields belong together is decided by `readDiscount`. */
export class DiscountBody {
  @IsOneOf(['AMOUNT', 'PERCENT', 'FIXED', 'UNIT']) type!: 'AMOUNT' | 'PERCENT' | 'FIXED' | 'UNIT';
  @IsOptional() @IsAmount() amount_off?: number;
  @IsOptional() @IsText({ max: 4_096 }) amount_off_formula?: string;
  @IsOptional() @IsAmount() aggregated_amount_limit?: number;
  @IsOptional() @IsDecimal({ min: 0, max: 100 }) percent_off?: number;
  @IsOptional() @IsText({ max: 4_096 }) percent_off_formula?: string;
  @IsOptional() @IsAmount() amount_limit?: number;
  @IsOptional() @IsAmount() fixed_amount?: number;
  @IsOptional() @IsText({ max: 4_096 }) fixed_amount_formula?: string;
  @IsOptional() @IsInteger({ min: 0 }) unit_off?: number;
  @IsOptional() @IsText({ max: 4_096 }) unit_off_formula?: string;
  @IsOptional() @IsText({ max: 256 }) unit_type?: string;
  @IsOptional() @Nested(() => ProductBody) product?: ProductBody;
  @IsOptional() @Nested(() => ProductBody) sku?: ProductBody;
  @IsOptional() @NestedList(() => UnitBody, { min: 1, max: 100 }) units?: UnitBody[];
  @IsOptional() @IsOneOf(effects) effect?: string;
  @IsOptional() @IsFlag() is_dynamic?: boolean;
}
