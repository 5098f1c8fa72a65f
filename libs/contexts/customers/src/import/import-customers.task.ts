import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import type { CompiledSchema } from '@scrip/metadata-schemas';
import type { ItemOutcome, ItemTask } from '@scrip/tasks';
import { type CsvRow, type CsvShared, importMessage, readRows } from '@scrip/tasks/imports';
import type { EntityManager } from 'typeorm';
import { storeCustomers } from '../bulk/store-customers';
import { UpsertCustomers } from '../customer/upsert-customers';
import { customerOfRow } from './customer-of-row';

/** Stores the customers of a file: one that is there is overwritten completely. Source: reference 07 §11. */
@Injectable()
export class ImportCustomers implements ItemTask<CsvRow, CsvShared, CompiledSchema | undefined> {
  readonly kind = 'CUSTOMERS.IMPORT_CSV';
  readonly identifiedBy = 'source_id';
  readonly hasReport = false;
  readonly messageOf = importMessage('customer');

  constructor(
    private readonly customers: UpsertCustomers,
    private readonly schemas: MetadataSchemas,
  ) {}

  identifierOf({ identifier }: CsvRow): string | null {
    return identifier;
  }

  isRehearsal({ dry_run }: CsvShared): boolean {
    return dry_run;
  }

  prepare(context: RequestContext): Promise<CompiledSchema | undefined> {
    return this.schemas.of(context, 'customer');
  }

  carryOut(
    manager: EntityManager,
    context: RequestContext,
    rows: readonly CsvRow[],
    shared: CsvShared,
    schema: CompiledSchema | undefined,
  ): Promise<ItemOutcome[]> {
    const read = readRows(rows, shared, schema, customerOfRow);
    return read.store((customers) =>
      storeCustomers(this.customers, manager, context, customers, { replace: true, check: schema?.check }),
    );
  }
}
