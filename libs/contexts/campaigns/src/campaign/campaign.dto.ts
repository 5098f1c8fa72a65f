import type { CampaignType, VoucherType } from '@scrip/contracts/campaigns';
import type { Metadata } from '@scrip/contracts/snapshot';
import { IsArray, IsIn, IsOptional, ArrayMaxSize } from 'class-validator';
import {
  IsAmount,
  IsAnything,
  IsDateInput,
  IsDecimal,
  IsFlag,
  IsInteger,
  IsMetadata,
  IsOneOf,
  IsText,
  IsTextList,
  Nested,
  NestedList,
  Wording,
} from '@scrip/edge';
import { maxCodeLength } from '../generation/code-config';

/** Of `validity_day_of_week`, Sunday first. */
export const weekdays = [0, 1, 2, 3, 4, 5, 6];
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
];

/** Longest name of a campaign or category in UTF-16 units; what fits an index entry. */
export const maxNameLength = 512;

/** How codes are made. Source: reference 04 §3. */
export class CodeConfigBody {
  @IsOptional() @IsInteger({ min: 0, max: maxCodeLength }) length?: number;
  @IsOptional() @IsText({ max: 1_024 }) charset?: string;
  @IsOptional() @IsText({ max: maxCodeLength }) prefix?: string;
  @IsOptional() @IsText({ max: maxCodeLength }) postfix?: string;
  @IsOptional() @IsText({ max: maxCodeLength }) pattern?: string;
}

/** Named, but not served yet: refused where a caller sends it. */
class ProductBody {
  @IsText({ max: 256 }) id!: string;
  @IsOptional() @IsText({ max: 1_024 }) source_id?: string;
  @IsOptional() @IsText({ max: 1_024 }) name?: string;
}

class UnitBody {
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

export class RedemptionBody {
  @IsOptional() @IsInteger({ min: 0, typeName: 'number,null' }) quantity?: number | null;
}

/** What the API description says at codes that callers choose. */
export const codeSpelling =
  'Keeps its spelling. Case-sensitive unless the project was made with `case_sensitive_codes: false`.';

/** What codes can be. */
export const voucherTypes = [
  'DISCOUNT_VOUCHER',
  'GIFT_VOUCHER',
  'LOYALTY_CARD',
] as const satisfies VoucherType[];

class CampaignVoucherBody {
  @IsOptional() @IsOneOf(voucherTypes) type?: VoucherType;
  @IsOptional() @Nested(() => DiscountBody) discount?: DiscountBody;
  @IsOptional() @IsAnything() gift?: unknown;
  @IsOptional() @IsAnything() loyalty_card?: unknown;
  @IsOptional() @Nested(() => CodeConfigBody) code_config?: CodeConfigBody;
  @IsOptional() @Nested(() => RedemptionBody) redemption?: RedemptionBody;
  @IsOptional() @IsFlag() is_referral_code?: boolean;
  @IsOptional() @IsText({ min: 1, max: maxCodeLength, description: codeSpelling }) code?: string;
}

class TimeframeBody {
  @IsText({ max: 64 }) interval!: string;
  @IsText({ max: 64 }) duration!: string;
}

class DailyHoursBody {
  @IsArray() @ArrayMaxSize(7) @IsIn(weekdays, { each: true }) days_of_week!: number[];
  @IsText({ max: 8 }) start_time!: string;
  @IsOptional() @IsText({ max: 8 }) expiration_time?: string;
}

class HoursBody {
  @NestedList(() => DailyHoursBody, { min: 1, max: 100 }) daily!: DailyHoursBody[];
}

/** Body of POST /v1/campaigns. Source: reference 04 §2, §4.1. */
@Wording('should')
export class CreateCampaignBody {
  @IsText({ min: 1, max: maxNameLength }) name!: string;
  @IsOptional() @IsText() description?: string | null;
  @IsOptional()
  @IsOneOf(['DISCOUNT_COUPONS', 'GIFT_VOUCHERS', 'LOYALTY_PROGRAM', 'REFERRAL_PROGRAM', 'PROMOTION'])
  campaign_type?: CampaignType;
  @IsOptional() @IsOneOf(['AUTO_UPDATE', 'STATIC', 'STANDALONE']) type?:
    'AUTO_UPDATE' | 'STATIC' | 'STANDALONE';
  @IsOptional() @Nested(() => CampaignVoucherBody) voucher?: CampaignVoucherBody;
  @IsOptional() @IsAnything() promotion?: unknown;
  @IsOptional() @IsAnything() referral_program?: unknown;
  @IsOptional() @IsAnything() access_settings?: unknown;
  @IsOptional() @IsInteger({ min: 0 }) vouchers_count?: number;
  @IsOptional() @IsFlag() join_once?: boolean;
  @IsOptional() @IsFlag() auto_join?: boolean;
  @IsOptional() @IsFlag() use_voucher_metadata_schema?: boolean;
  @IsOptional() @IsDateInput() start_date?: string | null;
  @IsOptional() @IsDateInput() expiration_date?: string | null;
  @IsOptional() @Nested(() => TimeframeBody) validity_timeframe?: TimeframeBody | null;
  @IsOptional() @IsArray() @ArrayMaxSize(7) @IsIn(weekdays, { each: true }) validity_day_of_week?:
    number[] | null;
  @IsOptional() @Nested(() => HoursBody) validity_hours?: HoursBody | null;
  @IsOptional() @IsText({ max: 64 }) activity_duration_after_publishing?: string | null;
  @IsOptional() @IsText({ min: 1, max: 256 }) category_id?: string | null;
  @IsOptional() @IsText({ min: 1, max: maxNameLength }) category?: string | null;
  @IsOptional() @IsMetadata() metadata?: Metadata | null;
  @IsOptional() @IsTextList({ max: 1, maxLength: 256 }) validation_rules?: string[];
}
