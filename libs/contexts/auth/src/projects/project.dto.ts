import { IsFlag, IsInteger, IsOneOf, IsText, IsTextList, Nested, NestedList } from '@scrip/edge';
import { IsOptional } from 'class-validator';
import { newMembersMax } from '../users/new-members';

const IsEmails = () => IsTextList({ max: 100, maxLength: 254, description: 'E-mail addresses.' });

class ChannelsBody {
  @IsFlag() email: boolean;
  @IsFlag() in_app: boolean;
  @IsEmails() emails: string[];
}

class CalloutNotificationsBody {
  @Nested(() => ChannelsBody) distributions: ChannelsBody;
  @Nested(() => ChannelsBody) webhooks: ChannelsBody;
}

class UsageThresholdBody {
  @IsFlag() enabled: boolean;
  @IsInteger({ min: 10, max: 90 }) value: number;
  @IsFlag() in_app: boolean;
  @IsEmails() emails: string[];
}

class UsageNotificationsBody {
  @IsOptional() @Nested(() => UsageThresholdBody) redemptions?: UsageThresholdBody;
  @Nested(() => UsageThresholdBody) messages: UsageThresholdBody;
  @Nested(() => UsageThresholdBody) api_calls: UsageThresholdBody;
  @Nested(() => UsageThresholdBody) bulk_api_calls: UsageThresholdBody;
  @Nested(() => UsageThresholdBody) webhook_calls: UsageThresholdBody;
  @Nested(() => UsageThresholdBody) cycle_calls: UsageThresholdBody;
}

class DefaultCodeConfigBody {
  @IsOptional()
  @IsText({ max: 512, description: 'Characters of generated codes; null or empty: letters and digits.' })
  charset?: string | null;
}

const IsMessage = () => IsText({ max: 256, description: 'Text for people; null or empty: none.' });

class ErrorMessagesBody {
  @IsOptional() @IsMessage() customer_rules_violated?: string | null;
  @IsOptional() @IsMessage() order_rules_violated?: string | null;
  @IsOptional() @IsMessage() redemption_rules_violated?: string | null;
}

const IsTimeZoneText = () =>
  IsText({ max: 64, description: 'An IANA name, or the distance from GMT in whole hours: `GMT+2`.' });
const IsCurrencyText = () => IsText({ max: 3, description: 'ISO 4217.' });
const IsName = () => IsText({ min: 1, max: 255 });

/** What creations and changes of a project share. */
class ProjectSettingsBody {
  @IsOptional() @IsText() description?: string;
  @IsOptional() @IsText({ max: 16 }) dial_code?: string | null;
  @IsOptional() @IsOneOf(['v2024-01-01']) webhook_version?: string;

  @IsOptional()
  @IsTextList({ max: 100, maxLength: 270, description: 'Origins, hosts, or `*`.' })
  client_trusted_domains?: string[];

  @IsOptional() @IsFlag() client_redeem_enabled?: boolean;
  @IsOptional() @IsFlag() client_publish_enabled?: boolean;
  @IsOptional() @IsFlag() client_list_vouchers_enabled?: boolean;
  @IsOptional() @IsFlag() client_create_customer_enabled?: boolean;
  @IsOptional() @IsFlag() client_loyalty_events_enabled?: boolean;
  @IsOptional() @IsFlag() client_set_voucher_expiration_date_enabled?: boolean;

  @IsOptional()
  @Nested(() => CalloutNotificationsBody)
  webhooks_callout_notifications?: CalloutNotificationsBody;

  @IsOptional()
  @Nested(() => UsageNotificationsBody)
  api_usage_notifications?: UsageNotificationsBody;

  @IsOptional()
  @Nested(() => DefaultCodeConfigBody)
  default_code_config?: DefaultCodeConfigBody;

  @IsOptional()
  @Nested(() => ErrorMessagesBody)
  error_messages?: ErrorMessagesBody;
}

class NewMemberBody {
  @IsOptional() @IsText({ min: 1, max: 128 }) id?: string | null;
  @IsOptional() @IsText({ min: 1, max: 254 }) login?: string | null;
  @IsText({ max: 64 }) role: string;
}

/** Source: reference 07 §14. */
export class CreateProjectBody extends ProjectSettingsBody {
  @IsName() name: string;
  @IsFlag() case_sensitive_codes: boolean;
  @IsTimeZoneText() timezone: string;
  @IsCurrencyText() currency: string;
  @IsOptional() @IsText({ max: 16 }) cluster_id?: string;
  @IsOptional() @IsOneOf(['v2018-08-01']) api_version?: string;

  @IsOptional()
  @NestedList(() => NewMemberBody, { max: newMembersMax })
  users?: NewMemberBody[];
}

/** Source: reference 07 §14. */
export class UpdateProjectBody extends ProjectSettingsBody {
  @IsOptional() @IsName() name?: string;
  @IsOptional() @IsTimeZoneText() timezone?: string;
  @IsOptional() @IsCurrencyText() currency?: string;
}
