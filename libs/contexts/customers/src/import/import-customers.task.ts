import { Injectable } from '@nestjs/common';
import type { CustomerInput } from '@scrip/contracts/customers';
import type { RequestContext } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import type { CompiledSchema } from '@scrip/metadata-schemas';
import type { ItemOutcome, TaskInput } from '@scrip/tasks';
import { CsvImportTask, type CsvRow, type CsvShared, rowValues } from '@scrip/tasks/imports';
import type { EntityManager } from 'typeorm';
import { keysOf, namedIn } from '../bulk/named-customers';
import { storeCustomers } from '../bulk/store-customers';
import { CustomerVault } from '../customer/customer-vault';
import { UpsertCustomers } from '../customer/upsert-customers';
import { customerOfRow } from './customer-of-row';

/** Stores the customers of a file: one that is there is overwritten completely. Source: reference 07 §11. */
@Injectable()
export class ImportCustomers extends CsvImportTask<CustomerInput> {
  readonly kind = 'CUSTOMERS.IMPORT_CSV';
  readonly identifiesCustomers = true;
  protected readonly recordOf = customerOfRow;

  constructor(
    private readonly customers: UpsertCustomers,
    private readonly vault: CustomerVault,
    schemas: MetadataSchemas,
  ) {
    super(schemas, { what: 'customer', schema: 'customer' });
  }

  customersOf(projectId: string, input: TaskInput<CsvRow>, { columns }: CsvShared): string[] {
    return keysOf(this.vault, projectId, [
      namedIn(input, ({ cells }) => {
        const { id, source_id } = rowValues(columns, cells, undefined).fields;
        return { id, source_id };
      }),
    ]);
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
