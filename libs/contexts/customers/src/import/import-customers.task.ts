import { Injectable } from '@nestjs/common';
import type { CustomerInput } from '@scrip/contracts/customers';
import type { RequestContext } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import type { CompiledSchema } from '@scrip/metadata-schemas';
import type { ItemOutcome } from '@scrip/tasks';
import { CsvImportTask } from '@scrip/tasks/imports';
import type { EntityManager } from 'typeorm';
import { storeCustomers } from '../bulk/store-customers';
import { UpsertCustomers } from '../customer/upsert-customers';
import { customerOfRow } from './customer-of-row';

/** Stores the customers of a file: one that is there is overwritten completely. Source: reference 07 §11. */
@Injectable()
export class ImportCustomers extends CsvImportTask<CustomerInput> {
  readonly kind = 'CUSTOMERS.IMPORT_CSV';
  protected readonly recordOf = customerOfRow;

  constructor(
    private readonly customers: UpsertCustomers,
    schemas: MetadataSchemas,
  ) {
    super(schemas, { what: 'customer', schema: 'customer' });
  }

  protected store(
    manager: EntityManager,
    context: RequestContext,
    customers: readonly CustomerInput[],
    schema: CompiledSchema | undefined,
  ): Promise<ItemOutcome[]> {
    const how = { replace: true, check: schema?.check };
    return storeCustomers(this.customers, manager, context, customers, how);
  }
}
