import { Injectable } from '@nestjs/common';
import { newId, type RequestContext } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import type { CompiledSchema } from '@scrip/metadata-schemas';
import { type ItemOutcome, outcomeOf } from '@scrip/tasks';
import { CsvImportTask } from '@scrip/tasks/imports';
import type { EntityManager } from 'typeorm';
import { catalogRefusals } from '../catalog.refusals';
import type { SkuFields } from '../sku/sku.commands';
import type { UpsertSkuItem } from '../sku/sku-set';
import { UpsertSkus } from '../sku/upsert-skus';
import { type RowOfSku, skuOfRow } from './sku-of-row';

const nameAndPrice = ({ sku, price }: SkuFields): SkuFields => ({
  ...(sku === undefined ? {} : { sku }),
  ...(price === undefined ? {} : { price }),
});

const itemOf = (row: RowOfSku): UpsertSkuItem => ({
  ...row,
  new_id: newId('sku_'),
  fieldsIfStored: nameAndPrice(row.fields),
});

/** Stores the SKUs of a file: of one that is there, only name and price change. Source: reference 07 §11. */
@Injectable()
export class ImportSkus extends CsvImportTask<RowOfSku> {
  readonly kind = 'SKUS.IMPORT_CSV';
  protected readonly recordOf = skuOfRow;

  constructor(
    private readonly skus: UpsertSkus,
    schemas: MetadataSchemas,
  ) {
    super(schemas, { what: 'sku', schema: 'product' });
  }

  protected async store(
    manager: EntityManager,
    context: RequestContext,
    rows: readonly RowOfSku[],
    schema: CompiledSchema | undefined,
  ): Promise<ItemOutcome[]> {
    const upserted = await this.skus.upsertIn(manager, context, rows.map(itemOf), schema?.check);
    return upserted.map((answer) => outcomeOf(answer, [catalogRefusals]));
  }
}
