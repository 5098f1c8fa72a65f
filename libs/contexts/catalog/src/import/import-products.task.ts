import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import type { CompiledSchema } from '@scrip/metadata-schemas';
import type { ItemOutcome, ItemTask } from '@scrip/tasks';
import { type CsvRow, type CsvShared, importMessage, readRows } from '@scrip/tasks/imports';
import type { EntityManager } from 'typeorm';
import { type ProductItem, storeProducts } from '../bulk/store-products';
import { UpsertProducts } from '../product/upsert-products';
import { productOfRow, type RowOfProduct } from './product-of-row';

const storesAll = (): null => null;

const nameOnlyWhereStored = ({ source_id, fields }: RowOfProduct): ProductItem => ({
  source_id,
  fields,
  fieldsIfStored: { name: fields.name },
});

/** Stores the products of a file: of one that is there, only the name changes. Source: reference 07 §11. */
@Injectable()
export class ImportProducts implements ItemTask<CsvRow, CsvShared, CompiledSchema | undefined> {
  readonly kind = 'PRODUCTS.IMPORT_CSV';
  readonly identifiedBy = 'source_id';
  readonly hasReport = false;
  readonly messageOf = importMessage('product');

  constructor(
    private readonly products: UpsertProducts,
    private readonly schemas: MetadataSchemas,
  ) {}

  identifierOf({ identifier }: CsvRow): string | null {
    return identifier;
  }

  isRehearsal({ dry_run }: CsvShared): boolean {
    return dry_run;
  }

  prepare(context: RequestContext): Promise<CompiledSchema | undefined> {
    return this.schemas.of(context, 'product');
  }

  carryOut(
    manager: EntityManager,
    context: RequestContext,
    rows: readonly CsvRow[],
    shared: CsvShared,
    schema: CompiledSchema | undefined,
  ): Promise<ItemOutcome[]> {
    return readRows(rows, shared, schema, productOfRow).store((products) =>
      storeProducts(
        this.products,
        manager,
        context,
        products.map(nameOnlyWhereStored),
        schema?.check ?? storesAll,
      ),
    );
  }
}
