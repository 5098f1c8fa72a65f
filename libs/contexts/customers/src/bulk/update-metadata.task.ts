import { Injectable } from '@nestjs/common';
import type { Metadata } from '@scrip/contracts/snapshot';
import type { RequestContext } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import type { ItemOutcome, ItemTask } from '@scrip/tasks';
import type { EntityManager } from 'typeorm';
import { UpsertCustomers } from '../customer/upsert-customers';
import { storeCustomers } from './store-customers';

/** Merges metadata into customers named by source id, or creates them with it. Source: reference 07 §3, §10. */
@Injectable()
export class UpdateMetadata implements ItemTask<string, { metadata: Metadata }, CheckMetadata> {
  readonly kind = 'CUSTOMERS.METADATA_UPDATE';
  readonly identifiedBy = 'source_id';
  readonly hasReport = true;
  readonly namesCustomers = true;

  constructor(
    private readonly customers: UpsertCustomers,
    private readonly schemas: MetadataSchemas,
  ) {}

  prepare(context: RequestContext): Promise<CheckMetadata> {
    return this.schemas.checkOf(context, 'customer');
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
    const customers = sourceIds.map((source_id) => ({ source_id, metadata }));
    return storeCustomers(this.customers, manager, context, customers, { check });
  }
}
