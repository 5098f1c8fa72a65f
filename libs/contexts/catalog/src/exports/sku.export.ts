import { Injectable } from '@nestjs/common';
import type { SkuSnapshot } from '@scrip/contracts/catalog';
import type { ExportField, ExportParameters } from '@scrip/contracts/operations';
import type { ExportKind } from '@scrip/exports';
import type { BusinessClock, RequestContext } from '@scrip/kernel';
import { calendarAt, type FilterColumns, type TypedMembers } from '@scrip/list-query';
import type { MetadataTypes } from '@scrip/metadata-schemas';
import { InjectBusinessClock } from '@scrip/service';
import { recordStatement } from './record.statement';

const filtersWith = (schema: TypedMembers): FilterColumns => ({
  id: { kind: 'text', sql: 't.id' },
  sku: { kind: 'text', sql: 't.sku' },
  product_id: { kind: 'text', sql: 't.product_id' },
  source_id: { kind: 'text', sql: 't.source_id' },
  price: { kind: 'number', sql: `(t.snapshot->>'price')::numeric` },
  created_at: { kind: 'instant', sql: 't.created_at' },
  updated_at: { kind: 'instant', sql: 't.updated_at' },
  // Filters look at what a SKU has by its product, too.
  'metadata.*': {
    kind: 'members',
    sql: `((p.state->'product'->'metadata') || (t.snapshot->'metadata'))`,
    schema,
  },
});

const from = 'skus t JOIN products p ON p.project_id = t.project_id AND p.id = t.product_id';

/** Live SKUs of live products. Prices: minor units. Source: reference 07 §12. */
@Injectable()
export class SkuExport implements ExportKind<{ snapshot: SkuSnapshot }, SkuSnapshot> {
  readonly kind = 'sku';
  readonly metadataSchema = 'product';

  constructor(@InjectBusinessClock() private readonly clock: BusinessClock) {}

  statement(context: RequestContext, parameters: ExportParameters, typeOf: MetadataTypes) {
    const { project } = context;
    const filters = filtersWith({ typeOf, calendar: calendarAt(project, this.clock.now(project)) });
    const where = "t.status = 'LIVE' AND p.status = 'LIVE'";
    return recordStatement(context, parameters, { columns: 't.snapshot', from, where, filters });
  }

  async open(_: RequestContext, rows: readonly { snapshot: SkuSnapshot }[]): Promise<SkuSnapshot[]> {
    return rows.map(({ snapshot }) => snapshot);
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
