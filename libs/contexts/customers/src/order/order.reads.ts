import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { OrderSnapshot, StoredOrder } from '@scrip/contracts/customers';
import { type Refusal, notFound, type RequestContext } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import { runQuery, stateOf, stateSource } from '@scrip/event-store';
import { orderAggregate } from './order.aggregate';
import { changeOrder } from './order-change';

/** A row as `shownOrders` reads it. */
export type OrderRow = Record<string, unknown> & { version: number } & (
    { draft: OrderSnapshot; draft_claim_id: string } | { draft: null; draft_claim_id: null }
  );

/** What stored orders are read from, provisional changes beside them. `rows`: which of them. */
export const shownOrders = (rows?: string): { columns: string; from: string } => {
  const stored = stateSource(orderAggregate, rows);
  return {
    columns: `t.version::int AS version, c.kept AS draft, c.claim_id AS draft_claim_id, ${stored.columns}`,
    from: `${stored.from}
  LEFT JOIN order_claims c ON c.project_id = t.project_id AND c.object_id = t.id AND c.state = 'PROVISIONAL'`,
  };
};

const orders = shownOrders();

// A provisional order lives in its claim row: a stored one is overlaid by it, a new one is nowhere else.
const overlaid = (key: 'id' | 'source_id'): string => `
  SELECT ${orders.columns}
  FROM ${orders.from}
  WHERE t.project_id = $1 AND t.${key} = ANY($2)
  UNION ALL
  SELECT 0, c.kept, c.claim_id, NULL, NULL, NULL, NULL, NULL
  FROM order_claims c
  WHERE c.project_id = $1 AND c.${key === 'id' ? 'object_id' : key} = ANY($2) AND c.state = 'PROVISIONAL'
    AND c.base_version IS NULL`;

/** While a draft is provisional the version is the one that its confirmation will make: a claim on what was read holds
 *  if the draft is confirmed, and is refused if it is dropped. Another claim may make the same version; `after` tells
 *  the two apart. */
export const readOrder = (row: OrderRow): StoredOrder => {
  const { version } = row;
  const stored = stateOf(orderAggregate, row);
  if (row.draft) {
    const { draft, draft_claim_id } = row;
    return { order: draft, version: version + changeOrder(stored, draft).length, after: draft_claim_id };
  }
  if (!stored) throw new Error('an order row without an order');
  return { order: stored, version };
};

/** Reads orders, provisional changes overlaid. */
@Injectable()
export class OrderReads {
  constructor(@InjectDataSource('customers') private readonly dataSource: DataSource) {}

  /** See `CustomersPort.loadOrder`. */
  async load(
    context: RequestContext,
    { id, source_id }: { id?: string; source_id?: string },
  ): Promise<StoredOrder | null | Refusal<'not_found'>> {
    const [row] = await (id === undefined
      ? this.rows(context, 'source_id', source_id === undefined ? [] : [source_id])
      : this.rows(context, 'id', [id]));
    if (row) return readOrder(row);
    return id === undefined ? null : notFound('order', id);
  }

  /** In the order asked; `not_found` for each that does not exist. */
  async loadEach(
    context: RequestContext,
    ids: readonly string[],
  ): Promise<(StoredOrder | Refusal<'not_found'>)[]> {
    const found = new Map(
      (await this.rows(context, 'id', ids)).map(readOrder).map((read) => [read.order.id, read]),
    );
    return ids.map((id) => found.get(id) ?? notFound('order', id));
  }

  /** Those of the ids that exist. */
  async loadMany(context: RequestContext, ids: readonly string[]): Promise<OrderSnapshot[]> {
    return (await this.rows(context, 'id', ids)).map((row) => readOrder(row).order);
  }

  private rows(
    { project }: RequestContext,
    key: 'id' | 'source_id',
    values: readonly string[],
  ): Promise<OrderRow[]> {
    return values.length === 0
      ? Promise.resolve([])
      : runQuery<OrderRow>(this.dataSource, overlaid(key), [project.id, values]);
  }
}
