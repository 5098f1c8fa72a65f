import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import { type ItemOutcome, MetadataUpdateTask, type RecordMetadata } from '@scrip/tasks';
import type { EntityManager } from 'typeorm';
import { UpsertProducts } from '../product/upsert-products';
import { storeProducts } from './store-products';

/** Merges metadata into products named by source id, or creates them with it. Source: reference 07 §6, §10. */
@Injectable()
export class UpdateMetadata extends MetadataUpdateTask {
  readonly kind = 'PRODUCTS.METADATA_UPDATE';

  constructor(
    private readonly products: UpsertProducts,
    schemas: MetadataSchemas,
  ) {
    super(schemas, 'product');
  }

  protected store(
    manager: EntityManager,
    context: RequestContext,
    records: readonly RecordMetadata[],
    check: CheckMetadata,
  ): Promise<ItemOutcome[]> {
    const items = records.map(({ source_id, metadata }) => ({ source_id, fields: { metadata } }));
    return storeProducts(this.products, manager, context, items, check);
  }
}
