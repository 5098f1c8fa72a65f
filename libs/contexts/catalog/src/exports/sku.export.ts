import { Injectable } from '@nestjs/common';
import type { SkuSnapshot } from '@scrip/contracts/catalog';
import type { ExportField, ExportParameters } from '@scrip/contracts/operations';
import type { ExportKind } from '@scrip/exports';
import type { BusinessClock, RequestContext } from '@scrip/kernel';
import type { MetadataTypes } from '@scrip/metadata-schemas';
import { InjectBusinessClock } from '@scrip/service';
import { skuRecord } from '../collection/collection-records.sql';
import { asksForLocations, LocatedRecords } from './located-records';
import { recordStatement } from './record.statement';

// Filters look at what a SKU has by its product, too.
const selected = {
  columns: 's.snapshot',
  from: 'skus s JOIN products owner ON owner.project_id = s.project_id AND owner.id = s.product_id',
  record: skuRecord,
  where: "s.status = 'LIVE' AND owner.status = 'LIVE'",
};

/** Live SKUs of live products. Prices: minor units. Source: reference 07 §12. */
@Injectable()
export class SkuExport implements ExportKind<{ snapshot: SkuSnapshot }, SkuSnapshot> {
  readonly kind = 'sku';
  readonly metadataSchema = 'product';

  constructor(
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly located: LocatedRecords,
  ) {}

  statement(context: RequestContext, parameters: ExportParameters, typeOf: MetadataTypes) {
    const { project } = context;
    return recordStatement(context, parameters, selected, { project, typeOf, now: this.clock.now(project) });
  }

  async open(
    context: RequestContext,
    rows: readonly { snapshot: SkuSnapshot }[],
    parameters: ExportParameters,
    typeOf: MetadataTypes,
  ): Promise<SkuSnapshot[]> {
    const skus = rows.map(({ snapshot }) => snapshot);
    if (!asksForLocations(parameters)) return skus;
    const records = skus.map(({ id, product_id }) => ({ object: 'sku', id, owner_id: product_id }) as const);
    const matching = await this.located.matching(context, records, parameters, typeOf);
    return skus.filter(({ id }) => matching.has(id));
  }

  readonly cells: Record<ExportField<'sku'>, (sku: SkuSnapshot) => unknown> = {
    id: ({ id }) => id,
    sku: ({ sku }) => sku,
    product_id: ({ product_id }) => product_id,
    currency: ({ currency }) => currency,
    price: ({ price }) => price,
    image_url: ({ image_url }) => image_url,
    source_id: ({ source_id }) => source_id,
    attributes: ({ attributes }) => attributes,
    created_at: ({ created_at }) => created_at,
    updated_at: ({ updated_at }) => updated_at,
  };

  metadataOf = ({ metadata }: SkuSnapshot) => metadata;
}
