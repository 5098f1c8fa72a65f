import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import { type ItemOutcome, MetadataUpdateTask, type RecordMetadata, type TaskInput } from '@scrip/tasks';
import type { EntityManager } from 'typeorm';
import { CustomerVault } from '../customer/customer-vault';
import { UpsertCustomers } from '../customer/upsert-customers';
import { keysOf, namedIn } from './named-customers';
import { inSet, storeCustomers } from './store-customers';

/** Merges metadata into customers named by source id, or creates them with it. Source: reference 07 §3, §10. */
@Injectable()
export class UpdateMetadata extends MetadataUpdateTask {
  readonly kind = 'CUSTOMERS.METADATA_UPDATE';
  readonly identifiesCustomers = true;

  constructor(
    private readonly customers: UpsertCustomers,
    private readonly vault: CustomerVault,
    schemas: MetadataSchemas,
  ) {
    super(schemas, 'customer');
  }

  customersOf(projectId: string, input: TaskInput<string>): string[] {
    return keysOf(this.vault, projectId, [namedIn(input, (source_id) => ({ source_id }))]);
  }

  protected store(
    manager: EntityManager,
    context: RequestContext,
    customers: readonly RecordMetadata[],
    check: CheckMetadata,
  ): Promise<ItemOutcome[]> {
    return storeCustomers(this.customers, manager, context, customers.map(inSet), { check });
  }
}
