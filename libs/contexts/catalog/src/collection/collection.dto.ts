import type { CollectedRecord, ProductCollectionType } from '@scrip/contracts/catalog';
import { IsFilters, IsOneOf, IsText, NestedList } from '@scrip/edge';
import type { Filters } from '@scrip/list-query';
import { IsOptional } from 'class-validator';
import { longestName } from '../product/product.dto';
import { collectionFilterSpec } from './collection-filter';
import { collectionLimits } from './collection.decider';

/** The types of collections. */
export const collectionTypes = ['STATIC', 'AUTO_UPDATE'] as const satisfies readonly ProductCollectionType[];

/** A product or SKU of a static collection. */
export class CollectedRecordBody {
  @IsText({ min: 1, max: longestName }) id: string;
  @IsOptional() @IsText({ min: 1, max: longestName }) product_id?: string | null;
  @IsOneOf(['product', 'sku']) object: CollectedRecord['object'];
}

/** Body of POST /v1/product-collections. Which fields belong together is decided by `newCollection`. Source: reference 07
 *  §7. */
export class CreateCollectionBody {
  @IsText({ min: 1, max: longestName }) name: string;
  @IsOneOf(collectionTypes) type: ProductCollectionType;
  @IsOptional()
  @NestedList(() => CollectedRecordBody, { max: collectionLimits.products })
  products?: CollectedRecordBody[] | null;
  @IsOptional() @IsFilters(collectionFilterSpec) filter?: Filters | null;
}

/** Body of PUT /v1/product-collections/{productCollectionId}. */
export class UpdateCollectionBody {
  @IsOptional() @IsText({ min: 1, max: longestName }) name?: string | null;
  @IsOptional() @IsFilters(collectionFilterSpec) filter?: Filters | null;
}
