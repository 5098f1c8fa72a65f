import { Injectable } from '@nestjs/common';
import type { ProductSnapshot } from '@scrip/contracts/catalog';
import type { ExportField, ExportParameters } from '@scrip/contracts/operations';
import type { ExportKind } from '@scrip/exports';
import type { BusinessClock, RequestContext } from '@scrip/kernel';
import type { MetadataTypes } from '@scrip/metadata-schemas';
import { InjectBusinessClock } from '@scrip/service';
import { productRecord } from '../collection/collection-records.sql';
import type { LiveProduct } from '../product/product.decider';
import { asksForLocations, LocatedRecords } from './located-records';
import { recordStatement } from './record.statement';

const selected = {
  columns: 'p.state',
  from: 'products p',
  record: productRecord,
  where: "p.status = 'LIVE'",
};

/** Live products. Prices: minor units. Source: reference 07 §12. */
@Injectable()
export class ProductExport implements ExportKind<{ state: LiveProduct }, ProductSnapshot> {
  readonly kind = 'product';
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
    rows: readonly { state: LiveProduct }[],
    parameters: ExportParameters,
    typeOf: MetadataTypes,
  ): Promise<ProductSnapshot[]> {
    const products = rows.map(({ state }) => state.product);
    if (!asksForLocations(parameters)) return products;
    const records = products.map(({ id }) => ({ object: 'product', id, owner_id: id }) as const);
    const matching = await this.located.matching(context, records, parameters, typeOf);
    return products.filter(({ id }) => matching.has(id));
  }

  readonly cells: Record<ExportField<'product'>, (product: ProductSnapshot) => unknown> = {
    id: ({ id }) => id,
    name: ({ name }) => name,
    price: ({ price }) => price,
    image_url: ({ image_url }) => image_url,
    source_id: ({ source_id }) => source_id,
    attributes: ({ attributes }) => attributes,
    created_at: ({ created_at }) => created_at,
    updated_at: ({ updated_at }) => updated_at,
  };

  metadataOf = ({ metadata }: ProductSnapshot) => metadata;
}
