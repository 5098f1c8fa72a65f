import {
  AreWeekdays,
  DiscountBody,
  HoursBody,
  nameLengthMax,
  RulesAreAssignedElsewhere,
  TimeframeBody,
} from '@scrip/incentives/bodies';
import type { Metadata } from '@scrip/contracts/snapshot';
import { IsDateInput, IsFlag, IsMetadata, IsText, Nested, Wording } from '@scrip/edge';
import { IsOptional } from 'class-validator';

/** Body of PUT /v1/vouchers/{code}: absent fields stay, null clears. Source: reference 04 §5. */
@Wording('should')
export class UpdateVoucherBody {
  @IsOptional() @Nested(() => DiscountBody) discount?: DiscountBody | null;
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
  @IsOptional() @RulesAreAssignedElsewhere() validation_rules?: unknown;
}
