import type { Metadata } from '@scrip/contracts/snapshot';
import { IsAmount, IsImageUrl, IsMetadata, IsText } from '@scrip/edge';
import { IsOptional } from 'class-validator';
import { longestName } from '../product/product.dto';

/** Body of PUT /v1/products/{productId}/skus/{skuId}. Source: reference 07 §6. */
export class SkuChangeBody {
  @IsOptional() @IsText({ min: 1, max: longestName }) sku?: string | null;
  @IsOptional() @IsAmount() price?: number | null;
  @IsOptional() @IsText({ min: 1, max: 16 }) currency?: string | null;
  @IsOptional() @IsMetadata() attributes?: Metadata | null;
  @IsOptional() @IsMetadata() metadata?: Metadata | null;
  @IsOptional() @IsImageUrl() image_url?: string | null;
}

/** Body of POST /v1/products/{productId}/skus. Source: reference 07 §6. */
export class SkuUpsertBody extends SkuChangeBody {
  @IsOptional() @IsText({ min: 1, max: longestName }) id?: string | null;
  @IsOptional() @IsText({ min: 1, max: longestName }) source_id?: string | null;
}
