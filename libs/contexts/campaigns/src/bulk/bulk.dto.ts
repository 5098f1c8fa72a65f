import type { Metadata } from '@scrip/contracts/snapshot';
import { IsMetadata, IsText, IsTextList } from '@scrip/edge';
import { codeSpelling } from '../campaign/campaign.dto';
import { codeLengthMax } from '../generation/code-config';

/** One voucher of POST /v1/vouchers/bulk/async. Source: reference 04 §5. */
export class BulkVoucherBody {
  @IsText({ min: 1, max: codeLengthMax, description: codeSpelling }) code!: string;
  @IsMetadata() metadata!: Metadata;
}

/** Body of POST /v1/vouchers/metadata/async. Source: reference 04 §5. */
export class BulkVoucherMetadataBody {
  @IsTextList({ min: 1, max: 100_000, maxLength: codeLengthMax, description: codeSpelling }) codes!: string[];
  @IsMetadata() metadata!: Metadata;
}
