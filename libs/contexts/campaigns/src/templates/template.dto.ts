import { IsFlag, IsOneOf, IsText, Nested } from '@scrip/edge';
import { nameLengthMax, TierSettingsBody } from '@scrip/incentives/bodies';
import { IsOptional } from 'class-validator';
import { CampaignSettingsBody, CodeConfigBody, RedemptionBody } from '../campaign/campaign.dto';

/** Body of POST /v1/templates/campaigns. Source: reference 04 §12. */
export class CreateTemplateBody {
  @IsText({ min: 1, max: nameLengthMax }) name!: string;
  @IsOptional() @IsText() description?: string | null;
  @IsOptional()
  @IsText({ min: 1, max: nameLengthMax, description: 'Id or name of the source.' })
  campaign_id?: string | null;
  @IsOptional() @IsText({ min: 1, max: 256 }) promotion_tier_id?: string | null;
}

/** Body of PUT: what is not sent stays. Source: reference 04 §12. */
export class UpdateTemplateBody {
  @IsOptional() @IsText({ min: 1, max: nameLengthMax }) name?: string;
  @IsOptional() @IsText() description?: string | null;
}

/** Body of POST …/copy in the management API. Source: reference 07 §14. */
export class CopyTemplateBody {
  @IsText({ min: 1, max: nameLengthMax }) name!: string;
  @IsOptional() @IsText() description?: string | null;
  @IsText({ min: 1, max: 256, description: 'The project that gets the copy; it may be the same.' })
  destination_project_id!: string;
}

/** Query of GET of one template. */
export class TemplateQuery {
  @IsOptional() @IsOneOf(['json_template']) expand?: 'json_template';
}

class SetupVoucherBody {
  @IsOptional() @Nested(() => CodeConfigBody) code_config?: CodeConfigBody;
  @IsOptional() @Nested(() => RedemptionBody) redemption?: RedemptionBody;
}

/** Body of POST …/campaign-setup: what is not sent is as in the template. Source: reference 04 §12. */
export class CampaignSetupBody extends CampaignSettingsBody {
  @IsOptional() @Nested(() => SetupVoucherBody) voucher?: SetupVoucherBody;
}

/** Body of POST …/tier-setup: what is not sent is as in the template. Source: reference 04 §12. */
export class TierSetupBody extends TierSettingsBody {
  @IsText({ min: 1, max: nameLengthMax, description: 'Id or name of a promotion campaign.' })
  campaign_id!: string;
  @IsText({ min: 1, max: nameLengthMax }) name!: string;
  @IsOptional() @IsFlag() active?: boolean;
}
