import { IsOneOf, IsText, IsTextList, Nested, Wording } from '@scrip/edge';
import { nameLengthMax } from '@scrip/incentives/bodies';
import { ArrayUnique, IsOptional } from 'class-validator';

/** How many tiers a stack has at most. Source: reference 04 §10. */
const tiersPerStackMax = 30;

const modes = ['MANUAL'];

/** Tiers in the order in which they are applied. */
class StackTiersBody {
  @ArrayUnique() @IsTextList({ min: 1, max: tiersPerStackMax, maxLength: 256 }) ids!: string[];
  @IsOptional() @IsOneOf(modes) hierarchy_mode?: string;
}

/** Body of POST /v1/promotions/{campaignId}/stacks. Source: reference 04 §10. */
@Wording('should')
export class CreateStackBody {
  @IsText({ min: 1, max: nameLengthMax }) name!: string;
  @Nested(() => StackTiersBody) tiers!: StackTiersBody;
  @IsOptional() @IsText({ min: 1, max: 256 }) category_id?: string | null;
  @IsOptional() @IsText({ min: 1, max: nameLengthMax }) category?: string | null;
}

/** Tiers of a stack that is changed. */
class ChangedTiersBody {
  @IsOptional()
  @ArrayUnique()
  @IsTextList({ min: 1, max: tiersPerStackMax, maxLength: 256 })
  ids?: string[];
  @IsOptional() @IsOneOf(modes) hierarchy_mode?: string;
}

/** Body of PUT /v1/promotions/{campaignId}/stacks/{stackId}: what is not sent stays. Source: reference 04 §10. */
@Wording('should')
export class UpdateStackBody {
  @IsOptional() @IsText({ min: 1, max: nameLengthMax }) name?: string;
  @IsOptional() @Nested(() => ChangedTiersBody) tiers?: ChangedTiersBody;
  @IsOptional() @IsText({ min: 1, max: 256 }) category_id?: string | null;
  @IsOptional() @IsText({ min: 1, max: nameLengthMax }) category?: string | null;
}
