import { Injectable } from '@nestjs/common';
import type { CustomerInput } from '@scrip/contracts/customers';
import type { RequestContext } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import type { CompiledSchema } from '@scrip/metadata-schemas';
import type { ItemOutcome, TaskInput } from '@scrip/tasks';
import {
  CsvImportTask,
  type CsvRow,
  type CsvShared,
  type PreparedRows,
  rowValues,
} from '@scrip/tasks/imports';
import type { EntityManager } from 'typeorm';
import { keysOf, namedIn } from '../bulk/named-customers';
import { inSet, storeCustomers } from '../bulk/store-customers';
import { CustomerVault } from '../customer/customer-vault';
import { sourceHashesOf, UpsertCustomers, type UpsertItem } from '../customer/upsert-customers';
import { customerOfRow } from './customer-of-row';

/** What is made of customers before the transaction of their chunk. */
type CustomersAhead = ReadonlyMap<CustomerInput, UpsertItem>;

/** Stores the customers of a file: one that is there is overwritten completely. Source: reference 07 §11. */
@Injectable()
export class ImportCustomers extends CsvImportTask<CustomerInput, CsvShared, CustomersAhead> {
  readonly kind = 'CUSTOMERS.IMPORT_CSV';
  readonly identifiesCustomers = true;
  // Consumers read the events of a chunk at once, and a full page of 500 would have them look for more.
  readonly itemsAtOnce = 450;
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

  /** Customers that it finds are read again under the locks of the chunk, and the index of source ids refuses a second creation. */
  override get preparesEarly(): boolean {
    return true;
  }

  recordsOf({ ahead }: PreparedRows<CustomerInput, CustomersAhead>): ReadonlySet<string> | null {
    return sourceHashesOf([...(ahead?.values() ?? [])]);
  }

  protected override async ahead(
    context: RequestContext,
    customers: readonly CustomerInput[],
    { schema }: { schema: CompiledSchema | undefined },
  ): Promise<CustomersAhead> {
    const how = { bulk: true, check: schema?.check };
    const set = await this.customers.madeAhead(context, customers.map(inSet), how);
    return new Map(set.map((item) => [item.customer, item]));
  }

  protected store(
    manager: EntityManager,
    context: RequestContext,
    customers: readonly CustomerInput[],
    schema: CompiledSchema | undefined,
    { ahead }: { ahead: CustomersAhead | undefined },
  ): Promise<ItemOutcome[]> {
    const set = customers.map((customer) => ahead?.get(customer) ?? inSet(customer));
    return storeCustomers(this.customers, manager, context, set, { replace: true, check: schema?.check });
  }
}
