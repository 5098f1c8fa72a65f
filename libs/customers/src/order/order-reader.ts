import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { OrderSnapshot } from '@scrip/contracts';
import { type Refusal, type RequestContext, refuse } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import { runQuery } from '../database/run-query';
import { changeOrder } from './order.decider';

/** An order with the version that a claim on what was read must name. */
export interface ReadOrder {
  order: OrderSnapshot;
  version: number;
}

interface OrderRow {
  stored: OrderSnapshot | null;
  version: number;
  draft: OrderSnapshot | null;
}

// A provisional order lives in its claim row: a stored one is overlaid by it, a new one is nowhere else.
const overlaid = (key: 'id' | 'source_id'): string => `
  SELECT o.state AS stored, o.version::int AS version, c.draft
  FROM orders o
  LEFT JOIN order_claims c ON c.project_id = o.project_id AND c.order_id = o.id AND c.state = 'PROVISIONAL'
  WHERE o.project_id = $1 AND o.${key} = ANY($2)
  UNION ALL
  SELECT NULL, 0, c.draft
  FROM order_claims c
  WHERE c.project_id = $1 AND c.${key === 'id' ? 'order_id' : key} = ANY($2) AND c.state = 'PROVISIONAL'
    AND c.base_version IS NULL`;

/** While a draft is provisional the version is the one that its confirmation will make: a claim on what was read holds
 *  if the draft is confirmed, and is refused if it is dropped. */
const readOrder = ({ stored, version, draft }: OrderRow): ReadOrder => {
  if (draft) return { order: draft, version: version + changeOrder(stored ?? undefined, draft).length };
  if (!stored) throw new Error('an order row without an order');
  return { order: stored, version };
};

/** Reads orders, provisional changes overlaid. */
@Injectable()
export class OrderReader {
  constructor(@InjectDataSource('customers') private readonly dataSource: DataSource) {}

  /** See `CustomersPort.loadOrder`. */
  async load(
    context: RequestContext,
    { id, source_id }: { id?: string; source_id?: string },
  ): Promise<ReadOrder | null | Refusal> {
    const [row] = await (id === undefined
      ? this.rows(context, 'source_id', source_id === undefined ? [] : [source_id])
      : this.rows(context, 'id', [id]));
    if (row) return readOrder(row);
    if (id === undefined) return null;
    return refuse('not_found', `Cannot find order with id ${id}`, { resourceId: id, resourceType: 'order' });
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
