import { Injectable } from '@nestjs/common';
import type { CustomerInput } from '@scrip/contracts/customers';
import type { RequestContext } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import { type ItemOutcome, type TaskInput, UpsertTask } from '@scrip/tasks';
import type { EntityManager } from 'typeorm';
import { CustomerVault } from '../customer/customer-vault';
import { UpsertCustomers } from '../customer/upsert-customers';
import { keysOf, namedIn } from './named-customers';
import { inSet, storeCustomers } from './store-customers';

/** Changes customers, or creates them, by source id. Source: reference 07 §3, §10. */
@Injectable()
export class UpdateCustomers extends UpsertTask<CustomerInput> {
  readonly kind = 'CUSTOMERS.BULK_UPDATE';
  readonly identifiesCustomers = true;

  constructor(
    private readonly customers: UpsertCustomers,
    private readonly vault: CustomerVault,
    schemas: MetadataSchemas,
  ) {
    super(schemas, 'customer');
  }

  identifierOf({ source_id }: CustomerInput): string | null {
    return source_id ?? null;
  }

  customersOf(projectId: string, input: TaskInput<CustomerInput>): string[] {
    return keysOf(this.vault, projectId, [namedIn(input, (customer) => customer)]);
  }

  carryOut(
    manager: EntityManager,
    context: RequestContext,
    items: readonly CustomerInput[],
    _shared: null,
    check: CheckMetadata,
  ): Promise<ItemOutcome[]> {
    return storeCustomers(this.customers, manager, context, items.map(inSet), { check });
  }
}
