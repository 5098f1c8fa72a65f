import type { Metadata } from '@scrip/contracts/snapshot';
import { IsMetadata, IsText, IsTextList } from '@scrip/edge';
import { longestName, ProductChangeBody } from '../product/product.dto';

/** One product of POST /v1/products/bulk/async. Source: reference 07 §6. */
export class BulkProductBody extends ProductChangeBody {
  @IsText({ min: 1, max: longestName, description: 'Your own id of the product. Case-sensitive.' })
  source_id!: string;
}

/** Body of POST /v1/products/metadata/async. Source: reference 07 §6. */
export class BulkProductMetadataBody {
  @IsTextList({
    min: 1,
    max: 100_000,
    maxLength: longestName,
    description: 'Your own ids of products. Case-sensitive.',
  })
  source_ids!: string[];

  @IsMetadata() metadata!: Metadata;
}
