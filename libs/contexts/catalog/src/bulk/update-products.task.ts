import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import type { ItemOutcome, ItemTask } from '@scrip/tasks';
import type { EntityManager } from 'typeorm';
import { UpsertProducts } from '../product/upsert-products';
import { type ProductItem, storeProducts } from './store-products';

/** Changes products, or creates them, by source id. Source: reference 07 §6, §10. */
@Injectable()
export class UpdateProducts implements ItemTask<ProductItem, null, CheckMetadata> {
  readonly kind = 'PRODUCTS.BULK_UPDATE';
  readonly identifiedBy = 'source_id';
  readonly hasReport = true;

  constructor(
    private readonly products: UpsertProducts,
    private readonly schemas: MetadataSchemas,
  ) {}

  prepare(context: RequestContext): Promise<CheckMetadata> {
    return this.schemas.checkOf(context, 'product');
  }

  identifierOf({ source_id }: ProductItem): string | null {
    return source_id;
  }

  carryOut(
    manager: EntityManager,
    context: RequestContext,
    items: readonly ProductItem[],
    _shared: null,
    check: CheckMetadata,
  ): Promise<ItemOutcome[]> {
    return storeProducts(this.products, manager, context, items, check);
  }
}
