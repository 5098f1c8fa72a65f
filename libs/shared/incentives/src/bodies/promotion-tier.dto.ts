import type { Metadata } from '@scrip/contracts/snapshot';
import {
  IsDateInput,
  IsFlag,
  IsInteger,
  IsMetadata,
  IsNothing,
  IsText,
  IsTextList,
  Nested,
  NestedList,
  Wording,
} from '@scrip/edge';
import { IsOptional } from 'class-validator';
import { DiscountBody } from './discount.dto';
import { AreWeekdays, HoursBody, TimeframeBody } from './validity.dto';

/** Longest name of what is listed by name, in UTF-16 units; what fits an index entry. */
export const nameLengthMax = 512;

/** The last place that a caller can ask for. */
const lastPlace = 1_000_000;

/** What a tier grants. */
class TierActionBody {
  @IsOptional() @Nested(() => DiscountBody) discount?: DiscountBody | null;
}

/** What a tier has besides its name and what it grants; null clears it. */
export class TierSettingsBody {
  @IsOptional() @IsText({ max: 4_096 }) banner?: string | null;
  @IsOptional() @IsMetadata() metadata?: Metadata | null;
  @IsOptional() @IsInteger({ min: 1, max: lastPlace }) hierarchy?: number | null;
  @IsOptional() @IsDateInput() start_date?: string | null;
  @IsOptional() @IsDateInput() expiration_date?: string | null;
  @IsOptional() @Nested(() => TimeframeBody) validity_timeframe?: TimeframeBody | null;
  @IsOptional() @AreWeekdays() validity_day_of_week?: number[] | null;
  @IsOptional() @Nested(() => HoursBody) validity_hours?: HoursBody | null;
  @IsOptional() @IsText({ min: 1, max: 256 }) category_id?: string | null;
  @IsOptional() @IsText({ min: 1, max: nameLengthMax }) category?: string | null;
}

/** What a tier has besides its name; null clears it. */
class TierFieldsBody extends TierSettingsBody {
  @IsOptional() @Nested(() => TierActionBody) action?: TierActionBody | null;
}

/** Rules that one body names for one object. */
export const rulesOfBodyMax = 20;

/** A rule of a tier as answers show it. */
class SentAssignmentBody {
  @IsText({ min: 1, max: 256 }) rule_id!: string;
}

/** The rules of a tier as answers show them; the tier gets those that it lacks. */
class SentAssignmentsBody {
  @IsOptional() @NestedList(() => SentAssignmentBody, { max: rulesOfBodyMax }) data?: SentAssignmentBody[];
}

/** Body of POST /v1/promotions/{campaignId}/tiers, and a tier of a campaign that is created. Source: reference 04 §10. */
@Wording('should')
export class CreateTierBody extends TierFieldsBody {
  @IsText({ min: 1, max: nameLengthMax }) name!: string;
  @IsOptional() @IsFlag() active?: boolean;
  @IsOptional() @IsTextList({ max: rulesOfBodyMax, maxLength: 256 }) validation_rules?: string[] | null;
  @IsOptional() @Nested(() => SentAssignmentsBody) validation_rule_assignments?: SentAssignmentsBody | null;
}

/** The rules that a body names for its tier, each once. */
export const rulesOfTier = ({
  validation_rules: ids,
  validation_rule_assignments: sent,
}: Pick<CreateTierBody, 'validation_rules' | 'validation_rule_assignments'>): string[] => [
  ...new Set([...(ids ?? []), ...(sent?.data ?? []).map(({ rule_id }) => rule_id)]),
];

/** Refuses rules in the body of a change, which would be taken for done. Source: reference 04 §15. */
export const RulesAreAssignedElsewhere = (): PropertyDecorator =>
  IsNothing('is only for a new object: send POST /v1/validation-rules/{validationRuleId}/assignments');

/** Body of PUT /v1/promotions/tiers/{promotionTierId}: what is not sent stays. Source: reference 04 §10. */
@Wording('should')
export class UpdateTierBody extends TierFieldsBody {
  @IsOptional() @IsText({ min: 1, max: nameLengthMax }) name?: string;
  @IsOptional() @Nested(() => SentAssignmentsBody) validation_rule_assignments?: SentAssignmentsBody | null;
  @IsOptional() @RulesAreAssignedElsewhere() validation_rules?: unknown;
}
