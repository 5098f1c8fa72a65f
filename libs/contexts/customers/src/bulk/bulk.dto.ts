import type { Metadata } from '@scrip/contracts/snapshot';
import { IsMetadata, IsText, IsTextList } from '@scrip/edge';
import { sourceIdLengthMax, UpdateCustomerBody } from '../customer/customer.dto';

/** One customer of POST /v1/customers/bulk/async. Source: reference 07 §3. */
export class BulkCustomerBody extends UpdateCustomerBody {
  @IsText({ min: 1, max: sourceIdLengthMax, description: 'Your own id of the customer. Case-sensitive.' })
  source_id!: string;
}

/** Body of POST /v1/customers/metadata/async. Source: reference 07 §3. */
export class BulkMetadataBody {
  @IsTextList({
    min: 1,
    max: 100_000,
    maxLength: sourceIdLengthMax,
    description: 'Your own ids of customers. Case-sensitive.',
  })
  source_ids!: string[];

  @IsMetadata() metadata!: Metadata;
}
