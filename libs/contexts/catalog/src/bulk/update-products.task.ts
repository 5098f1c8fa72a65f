import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import { type ItemOutcome, UpsertTask } from '@scrip/tasks';
import type { EntityManager } from 'typeorm';
import { UpsertProducts } from '../product/upsert-products';
import { type ProductItem, storeProducts } from './store-products';

/** Changes products, or creates them, by source id. Source: reference 07 §6, §10. */
@Injectable()
export class UpdateProducts extends UpsertTask<ProductItem> {
  readonly kind = 'PRODUCTS.BULK_UPDATE';

  constructor(
    private readonly products: UpsertProducts,
    schemas: MetadataSchemas,
  ) {
    super(schemas, 'product');
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
