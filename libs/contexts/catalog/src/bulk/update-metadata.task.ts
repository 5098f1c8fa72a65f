import { Injectable } from '@nestjs/common';
import type { Metadata } from '@scrip/contracts/snapshot';
import type { RequestContext } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import type { ItemOutcome, ItemTask } from '@scrip/tasks';
import type { EntityManager } from 'typeorm';
import { UpsertProducts } from '../product/upsert-products';
import { storeProducts } from './store-products';

/** Merges metadata into products named by source id, or creates them with it. Source: reference 07 §6, §10. */
@Injectable()
export class UpdateMetadata implements ItemTask<string, { metadata: Metadata }, CheckMetadata> {
  readonly kind = 'PRODUCTS.METADATA_UPDATE';
  readonly identifiedBy = 'source_id';
  readonly hasReport = true;

  constructor(
    private readonly products: UpsertProducts,
    private readonly schemas: MetadataSchemas,
  ) {}

  prepare(context: RequestContext): Promise<CheckMetadata> {
    return this.schemas.checkOf(context, 'product');
  }

  identifierOf(sourceId: string): string {
    return sourceId;
  }

  carryOut(
    manager: EntityManager,
    context: RequestContext,
    sourceIds: readonly string[],
    { metadata }: { metadata: Metadata },
    check: CheckMetadata,
  ): Promise<ItemOutcome[]> {
    const items = sourceIds.map((source_id) => ({ source_id, fields: { metadata } }));
    return storeProducts(this.products, manager, context, items, check);
  }
}
