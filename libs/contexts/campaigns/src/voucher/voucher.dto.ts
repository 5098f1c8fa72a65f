import type { Metadata } from '@scrip/contracts/snapshot';
import { IsOptional } from 'class-validator';
import { IsDateInput, IsInteger, IsMetadata, IsText, Nested, Wording } from '@scrip/edge';
import { nameLengthMax } from '@scrip/incentives/bodies';
import { CodeConfigBody, codeSpelling, RedemptionBody } from '../campaign/campaign.dto';
import { codeLengthMax } from '../generation/code-config';

/** Body of POST /v1/campaigns/{campaignId}/vouchers/{code}: what the voucher does not inherit. Source: reference 04 §4.6. */
@Wording('should')
export class AddVoucherBody {
  @IsOptional() @IsText({ min: 1, max: nameLengthMax }) category?: string | null;
  @IsOptional() @IsText({ min: 1, max: 256 }) category_id?: string | null;
  @IsOptional() @IsMetadata() metadata?: Metadata | null;
  @IsOptional() @Nested(() => RedemptionBody) redemption?: RedemptionBody | null;
  @IsOptional() @IsText() additional_info?: string | null;
  @IsOptional() @IsDateInput() start_date?: string | null;
  @IsOptional() @IsDateInput() expiration_date?: string | null;
}

/** Body of POST /v1/campaigns/{campaignId}/vouchers: further how codes are made, this time. */
@Wording('should')
export class AddVouchersBody extends AddVoucherBody {
  @IsOptional() @IsText({ min: 1, max: codeLengthMax, description: codeSpelling }) code?: string | null;
  @IsOptional() @Nested(() => CodeConfigBody) code_config?: CodeConfigBody | null;
}

/** Query of the same. */
export class AddVouchersQuery {
  @IsOptional() @IsInteger({ min: 1 }) vouchers_count = 1;
}
