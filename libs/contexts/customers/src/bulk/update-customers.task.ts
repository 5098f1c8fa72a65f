import { Injectable } from '@nestjs/common';
import type { CustomerInput } from '@scrip/contracts/customers';
import type { RequestContext } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import type { ItemOutcome, ItemTask } from '@scrip/tasks';
import type { EntityManager } from 'typeorm';
import { UpsertCustomers } from '../customer/upsert-customers';
import { sourceIdOf, storeCustomers } from './store-customers';

/** Changes customers, or creates them, by source id. Source: reference 07 §3, §10. */
@Injectable()
export class UpdateCustomers implements ItemTask<CustomerInput, null, CheckMetadata> {
  readonly kind = 'CUSTOMERS.BULK_UPDATE';
  readonly identifiedBy = 'source_id';
  readonly hasReport = true;
  readonly namesCustomers = true;
  readonly identifierOf = sourceIdOf;

  constructor(
    private readonly customers: UpsertCustomers,
    private readonly schemas: MetadataSchemas,
  ) {}

  prepare(context: RequestContext): Promise<CheckMetadata> {
    return this.schemas.checkOf(context, 'customer');
  }

  carryOut(
    manager: EntityManager,
    context: RequestContext,
    items: readonly CustomerInput[],
    _shared: null,
    check: CheckMetadata,
  ): Promise<ItemOutcome[]> {
    return storeCustomers(this.customers, manager, context, items, { check });
  }
}
