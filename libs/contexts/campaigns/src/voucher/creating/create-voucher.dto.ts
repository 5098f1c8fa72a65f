import {
  AreWeekdays,
  DiscountBody,
  HoursBody,
  nameLengthMax,
  rulesOfBodyMax,
  TimeframeBody,
} from '@scrip/incentives/bodies';
import type { VoucherType } from '@scrip/contracts/campaigns';
import type { Metadata } from '@scrip/contracts/snapshot';
import { IsDateInput, IsFlag, IsMetadata, IsOneOf, IsText, IsTextList, Nested, Wording } from '@scrip/edge';
import { IsOptional } from 'class-validator';
import {
  CodeConfigBody,
  codeSpelling,
  GiftBody,
  LoyaltyCardBody,
  RedemptionBody,
  voucherTypes,
} from '../../campaign/campaign.dto';
import { codeLengthMax } from '../../generation/code-config';

/** Body of POST /v1/vouchers/{code}. Source: reference 04 §5. */
@Wording('should')
export class CreateVoucherBody {
  @IsOptional() @IsOneOf(voucherTypes) type?: VoucherType | null;
  @IsOptional() @Nested(() => DiscountBody) discount?: DiscountBody | null;
  @IsOptional() @Nested(() => GiftBody) gift?: GiftBody | null;
  @IsOptional() @Nested(() => LoyaltyCardBody) loyalty_card?: LoyaltyCardBody | null;
  @IsOptional() @IsText({ min: 1, max: nameLengthMax }) campaign?: string | null;
  @IsOptional() @IsText({ min: 1, max: nameLengthMax }) campaign_id?: string | null;
  @IsOptional() @IsText({ min: 1, max: nameLengthMax }) category?: string | null;
  @IsOptional() @IsText({ min: 1, max: 256 }) category_id?: string | null;
  @IsOptional() @IsDateInput() start_date?: string | null;
  @IsOptional() @IsDateInput() expiration_date?: string | null;
  @IsOptional() @Nested(() => TimeframeBody) validity_timeframe?: TimeframeBody | null;
  @IsOptional() @AreWeekdays() validity_day_of_week?: number[] | null;
  @IsOptional() @Nested(() => HoursBody) validity_hours?: HoursBody | null;
  @IsOptional() @IsFlag() active?: boolean | null;
  @IsOptional() @IsText() additional_info?: string | null;
  @IsOptional() @IsMetadata() metadata?: Metadata | null;
  @IsOptional() @Nested(() => RedemptionBody) redemption?: RedemptionBody | null;
  @IsOptional() @IsTextList({ max: rulesOfBodyMax, maxLength: 256 }) validation_rules?: string[];
}

/** Body of POST /v1/vouchers: further the code, or how it is made. */
@Wording('should')
export class CreateCodedVoucherBody extends CreateVoucherBody {
  @IsOptional() @IsText({ min: 1, max: codeLengthMax, description: codeSpelling }) code?: string | null;
  @IsOptional() @Nested(() => CodeConfigBody) code_config?: CodeConfigBody | null;
}
