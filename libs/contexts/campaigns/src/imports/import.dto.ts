import type { VoucherType } from '@scrip/contracts/campaigns';
import type { Metadata } from '@scrip/contracts/snapshot';
import {
  IsAmount,
  IsDateInput,
  IsFlag,
  IsInteger,
  IsMetadata,
  IsOneOf,
  IsText,
  Nested,
  Wording,
} from '@scrip/edge';
import { IsOptional } from 'class-validator';
import { DiscountBody, nameLengthMax } from '@scrip/incentives/bodies';
import { codeSpelling, GiftBody, RedemptionBody, voucherTypes } from '../campaign/campaign.dto';
import { codeLengthMax } from '../generation/code-config';

class ImportedGiftBody {
  @IsAmount() amount!: number;
}

class ImportedCardBody {
  @IsInteger({ min: 0 }) points!: number;
}

/** One voucher of POST /v1/vouchers/import. Source: reference 04 §5. */
@Wording('should')
export class ImportedVoucherBody {
  @IsText({ min: 1, max: codeLengthMax, description: codeSpelling }) code!: string;
  @IsOptional() @IsOneOf(voucherTypes) type?: VoucherType | null;
  @IsOptional() @IsFlag() active?: boolean | null;
  @IsOptional()
  @IsText({ min: 1, max: nameLengthMax, description: 'Its name or id; an unknown name becomes a category.' })
  category?: string | null;
  @IsOptional() @IsMetadata() metadata?: Metadata | null;
  @IsOptional() @Nested(() => RedemptionBody) redemption?: RedemptionBody | null;
  @IsOptional() @IsText() additional_info?: string | null;
  @IsOptional() @IsDateInput() start_date?: string | null;
  @IsOptional() @IsDateInput() expiration_date?: string | null;
  @IsOptional() @Nested(() => DiscountBody) discount?: DiscountBody | null;
  @IsOptional() @Nested(() => GiftBody) gift?: GiftBody | null;
}

/** One voucher of POST /v1/campaigns/{campaignId}/import: what it does not inherit. Source: reference 04 §4.7. */
@Wording('should')
export class ImportedCodeBody {
  @IsText({ min: 1, max: codeLengthMax, description: codeSpelling }) code!: string;
  @IsOptional() @IsOneOf(voucherTypes) type?: VoucherType;
  @IsOptional() @IsFlag() active?: boolean | null;
  @IsOptional()
  @IsText({ min: 1, max: nameLengthMax, description: 'Its name or id; an unknown name becomes a category.' })
  category?: string | null;
  @IsOptional() @IsMetadata() metadata?: Metadata | null;
  @IsOptional() @Nested(() => RedemptionBody) redemption?: RedemptionBody | null;
  @IsOptional() @IsText() additional_info?: string | null;
  @IsOptional() @IsDateInput() start_date?: string | null;
  @IsOptional() @IsDateInput() expiration_date?: string | null;
  @IsOptional() @Nested(() => ImportedGiftBody) gift?: ImportedGiftBody | null;
  @IsOptional() @Nested(() => ImportedCardBody) loyalty_card?: ImportedCardBody | null;
}
