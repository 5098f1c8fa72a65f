import type { Metadata } from '@scrip/contracts/snapshot';
import { IsAmount, IsImageUrl, IsMetadata, IsText, IsTextList } from '@scrip/edge';
import { IsOptional } from 'class-validator';

/** Longest id, source id and name of a product or SKU in UTF-16 units; what fits an index entry. */
export const longestName = 512;

/** Body of PUT /v1/products/{productId}. Source: reference 07 §6. */
export class ProductChangeBody {
  @IsOptional() @IsText({ min: 1, max: longestName }) name?: string | null;
  @IsOptional() @IsAmount() price?: number | null;
  @IsOptional()
  @IsTextList({ max: 100, maxLength: 256, description: 'Keys that the attributes of its SKUs may have.' })
  attributes?: string[] | null;
  @IsOptional() @IsMetadata() metadata?: Metadata | null;
  @IsOptional() @IsImageUrl() image_url?: string | null;
}

/** Body of POST /v1/products. Source: reference 07 §6. */
export class ProductUpsertBody extends ProductChangeBody {
  @IsOptional() @IsText({ min: 1, max: longestName }) id?: string | null;
  @IsOptional() @IsText({ min: 1, max: longestName }) source_id?: string | null;
}
