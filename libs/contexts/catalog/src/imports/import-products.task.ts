import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import type { CompiledSchema } from '@scrip/metadata-schemas';
import type { ItemOutcome } from '@scrip/tasks';
import { CsvImportTask } from '@scrip/tasks/imports';
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
export class ImportProducts extends CsvImportTask<RowOfProduct> {
  readonly kind = 'PRODUCTS.IMPORT_CSV';
  protected readonly recordOf = productOfRow;

  constructor(
    private readonly products: UpsertProducts,
    schemas: MetadataSchemas,
  ) {
    super(schemas, { what: 'product', schema: 'product' });
  }

  protected store(
    manager: EntityManager,
    context: RequestContext,
    products: readonly RowOfProduct[],
    schema: CompiledSchema | undefined,
  ): Promise<ItemOutcome[]> {
    const items = products.map(nameOnlyWhereStored);
    return storeProducts(this.products, manager, context, items, schema?.check ?? storesAll);
  }
}
