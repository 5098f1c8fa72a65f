import type { Metadata } from '@scrip/contracts/snapshot';
import {
  IsAnyObject,
  IsAnything,
  IsDateInput,
  IsFlag,
  IsMetadata,
  IsOneOf,
  IsText,
  IsTextList,
  Nested,
  Wording,
} from '@scrip/edge';
import { IsOptional } from 'class-validator';
import {
  AreWeekdays,
  DiscountBody,
  HoursBody,
  nameLengthMax,
  RulesAreAssignedElsewhere,
  TimeframeBody,
} from '@scrip/incentives/bodies';
import { GiftBody, RedemptionBody } from '../campaign/campaign.dto';
import { ReferralProgramBody } from '../campaign/kinds/referral-program.dto';

/** Body of PUT /v1/campaigns/{campaignId}: what is absent stays, null clears. Source: reference 04 §4.3. */
@Wording('should')
export class UpdateCampaignBody {
  @IsOptional() @IsText() description?: string | null;
  @IsOptional() @IsOneOf(['AUTO_UPDATE', 'STATIC', 'STANDALONE']) type?:
    'AUTO_UPDATE' | 'STATIC' | 'STANDALONE' | null;
  @IsOptional() @IsFlag() join_once?: boolean | null;
  @IsOptional() @IsFlag() auto_join?: boolean | null;
  @IsOptional() @IsDateInput() start_date?: string | null;
  @IsOptional() @IsDateInput() expiration_date?: string | null;
  @IsOptional() @Nested(() => TimeframeBody) validity_timeframe?: TimeframeBody | null;
  @IsOptional() @AreWeekdays() validity_day_of_week?: number[] | null;
  @IsOptional() @Nested(() => HoursBody) validity_hours?: HoursBody | null;
  @IsOptional() @IsText({ max: 64 }) activity_duration_after_publishing?: string | null;
  @IsOptional() @IsText({ min: 1, max: 256 }) category_id?: string | null;
  @IsOptional() @IsText({ min: 1, max: nameLengthMax }) category?: string | null;
  @IsOptional() @IsMetadata() metadata?: Metadata | null;
  @IsOptional() @IsTextList({ max: 1_000, maxLength: 512 }) unset_metadata_fields?: string[] | null;
  @IsOptional() @IsAnything() access_settings?: unknown;
  @IsOptional() @Nested(() => RedemptionBody) default_voucher_redemption?: RedemptionBody | null;
  @IsOptional() @Nested(() => DiscountBody) discount?: DiscountBody | null;
  @IsOptional() @Nested(() => GiftBody) gift?: GiftBody | null;
  @IsOptional() @Nested(() => ReferralProgramBody) referral_program?: ReferralProgramBody | null;
  @IsOptional()
  @IsAnyObject('As answers show it; a change of what it says has its place at the top level.')
  voucher?: Record<string, unknown> | null;
  @IsOptional() @RulesAreAssignedElsewhere() validation_rules?: unknown;
}
