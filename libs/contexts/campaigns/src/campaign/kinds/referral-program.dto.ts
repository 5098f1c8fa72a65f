import { IsOptional } from 'class-validator';
import { IsInteger, IsOneOf, IsText, Nested } from '@scrip/edge';

class CustomEventBody {
  @IsOptional() @IsText({ min: 1, max: 256 }) id?: string;
  @IsOptional() @IsText({ min: 1, max: 256 }) name?: string;
}

class RewardCampaignBody {
  @IsText({ min: 1, max: 512 }) id!: string;
}

class RefereeRewardBody {
  @IsOneOf(['LOYALTY_CARD', 'GIFT_VOUCHER']) type!: 'LOYALTY_CARD' | 'GIFT_VOUCHER';
  @IsInteger({ min: 1 }) amount!: number;
  @Nested(() => RewardCampaignBody) related_object_parent!: RewardCampaignBody;
}

/** The settings of a referral program. Source: reference 04 §11. */
export class ReferralProgramBody {
  @IsOptional() @IsOneOf(['redemption', 'custom_event']) conversion_event_type?:
    'redemption' | 'custom_event';
  @IsOptional() @Nested(() => CustomEventBody) custom_event?: CustomEventBody;
  @IsOptional() @Nested(() => RefereeRewardBody) referee_reward?: RefereeRewardBody | null;
}
