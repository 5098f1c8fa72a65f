import type { CampaignType, VoucherType } from '@scrip/contracts/campaigns';
import type { Metadata } from '@scrip/contracts/snapshot';
import { IsOptional } from 'class-validator';
import {
  IsAnything,
  IsDateInput,
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
import {
  AreWeekdays,
  CreateTierBody,
  DiscountBody,
  HoursBody,
  nameLengthMax,
  TimeframeBody,
} from '@scrip/incentives/bodies';
import { codeLengthMax } from '../generation/code-config';
import { ReferralProgramBody } from './kinds/referral-program.dto';

/** Most tiers that a promotion campaign is created with. */
export const firstTiersMax = 100;

/** How codes are made. Source: reference 04 §3. */
export class CodeConfigBody {
  @IsOptional() @IsInteger({ min: 0, max: codeLengthMax }) length?: number;
  @IsOptional() @IsText({ max: 1_024 }) charset?: string;
  @IsOptional() @IsText({ max: codeLengthMax }) prefix?: string;
  @IsOptional() @IsText({ max: codeLengthMax }) postfix?: string;
  @IsOptional() @IsText({ max: codeLengthMax }) pattern?: string;
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

/** What a new gift card holds, minor units. */
export class GiftBody {
  @IsOptional() @IsInteger({ min: 1 }) amount?: number;
  @IsOptional() @IsOneOf(['APPLY_TO_ORDER', 'APPLY_TO_ITEMS']) effect?: 'APPLY_TO_ORDER' | 'APPLY_TO_ITEMS';
}

/** What a new loyalty card holds. */
export class LoyaltyCardBody {
  @IsOptional() @IsInteger({ min: 0 }) points?: number;
}

class CampaignVoucherBody {
  @IsOptional() @IsOneOf(voucherTypes) type?: VoucherType;
  @IsOptional() @Nested(() => DiscountBody) discount?: DiscountBody;
  @IsOptional() @Nested(() => GiftBody) gift?: GiftBody;
  @IsOptional() @Nested(() => LoyaltyCardBody) loyalty_card?: LoyaltyCardBody;
  @IsOptional() @Nested(() => CodeConfigBody) code_config?: CodeConfigBody;
  @IsOptional() @Nested(() => RedemptionBody) redemption?: RedemptionBody;
  @IsOptional() @IsFlag() is_referral_code?: boolean;
  @IsOptional() @IsText({ min: 1, max: codeLengthMax, description: codeSpelling }) code?: string;
}

/** What a promotion campaign is created with; the tiers get the places 1, 2, … in their order. */
class PromotionBody {
  @IsOptional() @NestedList(() => CreateTierBody, { max: firstTiersMax }) tiers?: CreateTierBody[];
}

/** What a campaign of any kind is created with, but for what its codes or tiers are. */
@Wording('should')
export class CampaignSettingsBody {
  @IsText({ min: 1, max: nameLengthMax }) name!: string;
  @IsOptional() @IsText() description?: string | null;
  @IsOptional() @IsOneOf(['AUTO_UPDATE', 'STATIC', 'STANDALONE']) type?:
    'AUTO_UPDATE' | 'STATIC' | 'STANDALONE';
  @IsOptional() @IsAnything() access_settings?: unknown;
  @IsOptional() @IsInteger({ min: 0 }) vouchers_count?: number;
  @IsOptional() @IsFlag() join_once?: boolean;
  @IsOptional() @IsFlag() auto_join?: boolean;
  @IsOptional() @IsFlag() use_voucher_metadata_schema?: boolean;
  @IsOptional() @IsDateInput() start_date?: string | null;
  @IsOptional() @IsDateInput() expiration_date?: string | null;
  @IsOptional() @Nested(() => TimeframeBody) validity_timeframe?: TimeframeBody | null;
  @IsOptional() @AreWeekdays() validity_day_of_week?: number[] | null;
  @IsOptional() @Nested(() => HoursBody) validity_hours?: HoursBody | null;
  @IsOptional() @IsText({ max: 64 }) activity_duration_after_publishing?: string | null;
  @IsOptional() @IsText({ min: 1, max: 256 }) category_id?: string | null;
  @IsOptional() @IsText({ min: 1, max: nameLengthMax }) category?: string | null;
  @IsOptional() @IsMetadata() metadata?: Metadata | null;
}

/** Body of POST /v1/campaigns. Source: reference 04 §2, §4.1. */
@Wording('should')
export class CreateCampaignBody extends CampaignSettingsBody {
  @IsOptional()
  @IsOneOf(['DISCOUNT_COUPONS', 'GIFT_VOUCHERS', 'LOYALTY_PROGRAM', 'REFERRAL_PROGRAM', 'PROMOTION'])
  campaign_type?: CampaignType;
  @IsOptional() @Nested(() => CampaignVoucherBody) voucher?: CampaignVoucherBody;
  @IsOptional() @Nested(() => PromotionBody) promotion?: PromotionBody;
  @IsOptional() @Nested(() => ReferralProgramBody) referral_program?: ReferralProgramBody;
  @IsOptional() @IsTextList({ max: 1, maxLength: 256 }) validation_rules?: string[];
}
