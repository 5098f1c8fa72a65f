import { Injectable } from '@nestjs/common';
import type { ProductSnapshot } from '@scrip/contracts/catalog';
import type { ExportField, ExportParameters } from '@scrip/contracts/operations';
import type { ExportKind } from '@scrip/exports';
import type { BusinessClock, RequestContext } from '@scrip/kernel';
import { calendarAt, type FilterColumns, type TypedMembers } from '@scrip/list-query';
import type { MetadataTypes } from '@scrip/metadata-schemas';
import { InjectBusinessClock } from '@scrip/service';
import type { LiveProduct } from '../product/product.decider';
import { recordStatement } from './record.statement';

const filtersWith = (schema: TypedMembers): FilterColumns => ({
  id: { kind: 'text', sql: 't.id' },
  name: { kind: 'text', sql: 't.name' },
  source_id: { kind: 'text', sql: 't.source_id' },
  price: { kind: 'number', sql: `(t.state->'product'->>'price')::numeric` },
  created_at: { kind: 'instant', sql: 't.created_at' },
  updated_at: { kind: 'instant', sql: 't.updated_at' },
  'metadata.*': { kind: 'members', sql: `t.state->'product'->'metadata'`, schema },
});

/** Live products. Prices: minor units. Source: reference 07 §12. */
@Injectable()
export class ProductExport implements ExportKind<{ state: LiveProduct }, ProductSnapshot> {
  readonly kind = 'product';
  readonly metadataSchema = 'product';

  constructor(@InjectBusinessClock() private readonly clock: BusinessClock) {}

  statement(context: RequestContext, parameters: ExportParameters, typeOf: MetadataTypes) {
    const { project } = context;
    const filters = filtersWith({ typeOf, calendar: calendarAt(project, this.clock.now(project)) });
    const where = "t.status = 'LIVE'";
    return recordStatement(context, parameters, { columns: 't.state', from: 'products t', where, filters });
  }

  async open(_: RequestContext, rows: readonly { state: LiveProduct }[]): Promise<ProductSnapshot[]> {
    return rows.map(({ state }) => state.product);
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
