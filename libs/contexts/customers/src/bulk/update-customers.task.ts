import { Injectable } from '@nestjs/common';
import type { CustomerInput } from '@scrip/contracts/customers';
import type { RequestContext } from '@scrip/kernel';
import type { ItemOutcome, ItemTask } from '@scrip/tasks';
import type { EntityManager } from 'typeorm';
import { UpsertCustomers } from '../customer/upsert-customers';
import { sourceIdOf, storeCustomers } from './store-customers';

/** Changes customers, or creates them, by source id. Source: reference 07 §3, §10. */
@Injectable()
export class UpdateCustomers implements ItemTask<CustomerInput, null> {
  readonly kind = 'CUSTOMERS.BULK_UPDATE';
  readonly identifiedBy = 'source_id';
  readonly hasReport = true;
  readonly identifierOf = sourceIdOf;

  constructor(private readonly customers: UpsertCustomers) {}

  carryOut(
    manager: EntityManager,
    context: RequestContext,
    items: readonly CustomerInput[],
  ): Promise<ItemOutcome[]> {
    return storeCustomers(this.customers, manager, context, items);
  }
}
