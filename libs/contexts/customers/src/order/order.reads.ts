import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { OrderSnapshot, StoredOrder } from '@scrip/contracts/customers';
import { isRefused, type Refusal, notFound, refuse, type RequestContext } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import { runQuery, stateOf, stateSource } from '@scrip/event-store';
import { orderAggregate } from './order.aggregate';
import { changeOrder } from './order-change';
import { isRead } from './unread-orders.sql';

/** A row as `shownOrders` reads it. */
export type OrderRow = Record<string, unknown> & { version: number } & (
    { draft: OrderSnapshot; draft_claim_id: string } | { draft: null; draft_claim_id: null }
  );

/** The refusal of a source id that another order has. Source: reference 07 §5. */
export const duplicateOrder = (sourceId: string): Refusal<'duplicate_found'> =>
  refuse('duplicate_found', `Duplicated order exists with source_id ${sourceId}`, {
    resourceId: sourceId,
    resourceType: 'order',
  });

/** What stored orders are read from, provisional changes beside them: but those that give the order to a deleted customer.
 *  `rows`: which of them. */
export const shownOrders = (rows?: string): { columns: string; from: string } => {
  const stored = stateSource(orderAggregate, rows);
  return {
    columns: `t.version::int AS version, c.kept AS draft, c.claim_id AS draft_claim_id, ${stored.columns}`,
    from: `${stored.from}
  LEFT JOIN order_claims c ON c.project_id = t.project_id AND c.object_id = t.id AND c.state = 'PROVISIONAL'
    AND ${isRead('c.project_id', `c.kept->>'customer_id'`)}`,
  };
};

const orders = shownOrders();

// A provisional order lives in its claim row: a stored one is overlaid by it, a new one is nowhere else.
const overlaid = (key: 'id' | 'source_id'): string => `
  SELECT ${orders.columns}, ${isRead('t.project_id', 't.customer_id')} AS is_read
  FROM ${orders.from}
  WHERE t.project_id = $1 AND t.${key} = ANY($2)
  UNION ALL
  SELECT 0, c.kept, c.claim_id, NULL, NULL, NULL, NULL, NULL, ${isRead('c.project_id', `c.kept->>'customer_id'`)}
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

/** A row that was asked for. `is_read` false: an order of a deleted customer. */
type NamedRow = OrderRow & { is_read: boolean };

/** Reads orders, provisional changes overlaid. Those of deleted customers are unknown. Source: reference 07 §3, §5. */
@Injectable()
export class OrderReads {
  constructor(@InjectDataSource('customers') private readonly dataSource: DataSource) {}

  /** See `CustomersPort.loadOrder`. */
  async load(
    context: RequestContext,
    { id, source_id }: { id?: string; source_id?: string },
  ): Promise<StoredOrder | null | Refusal<'not_found' | 'duplicate_found'>> {
    if (id !== undefined) return (await this.loadEach(context, [id]))[0]!;
    if (source_id === undefined) return null;
    const [row] = await this.rows(context, 'source_id', [source_id]);
    if (!row) return null;
    return row.is_read ? readOrder(row) : duplicateOrder(source_id);
  }

  /** In the order asked; `not_found` for each that does not exist. */
  async loadEach(
    context: RequestContext,
    ids: readonly string[],
  ): Promise<(StoredOrder | Refusal<'not_found'>)[]> {
    const rows = await this.rows(context, 'id', ids);
    const found = new Map(
      rows
        .filter(({ is_read }) => is_read)
        .map(readOrder)
        .map((read) => [read.order.id, read]),
    );
    return ids.map((id) => found.get(id) ?? notFound('order', id));
  }

  /** Those of the ids that exist. */
  async loadMany(context: RequestContext, ids: readonly string[]): Promise<OrderSnapshot[]> {
    const found = await this.loadEach(context, ids);
    return found.flatMap((one) => (isRefused(one) ? [] : [one.order]));
  }

  /** Returns the order of this id, also that of a deleted customer; undefined where there is none. */
  async loadAlsoUnread(context: RequestContext, id: string): Promise<OrderSnapshot | undefined> {
    const [row] = await this.rows(context, 'id', [id]);
    return row && readOrder(row).order;
  }

  private rows(
    { project }: RequestContext,
    key: 'id' | 'source_id',
    values: readonly string[],
  ): Promise<NamedRow[]> {
    return values.length === 0
      ? Promise.resolve([])
      : runQuery<NamedRow>(this.dataSource, overlaid(key), [project.id, values]);
  }
}
