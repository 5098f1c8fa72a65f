import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { OrderSnapshot } from '@scrip/contracts/customers';
import { runQuery } from '@scrip/event-store';
import { type Refusal, type RequestContext, isRefused, refuse } from '@scrip/kernel';
import { InjectListReader, type ListReader } from '@scrip/service';
import type { DataSource } from 'typeorm';
import {
  type OrderCursor,
  type OrderListQuery,
  cursorFitsOrder,
  orderListStatements,
} from './order-list.query';
import { type OrderRow, readOrder } from './order.reads';

/** Pages of orders, provisional changes of stored ones overlaid. */
@Injectable()
export class OrderLists {
  constructor(
    @InjectDataSource('customers') private readonly dataSource: DataSource,
    @InjectListReader('customers') private readonly lists: ListReader,
  ) {}

  /** Refuses `invalid_query_params`: a cursor that names no order, or beside the order of changes.
   *  Source: reference 07 §1.4. */
  async list(
    context: RequestContext,
    query: OrderListQuery,
  ): Promise<{ orders: OrderSnapshot[]; total: number } | Refusal<'invalid_query_params'>> {
    const cursor = cursorFitsOrder(query) ?? (await this.cursorOf(context, query));
    if (isRefused(cursor)) return cursor;
    const statements = orderListStatements(context.project.id, query, cursor);
    const { rows, total } = await this.lists.page<OrderRow>(context, statements);
    return { orders: rows.map((row) => readOrder(row).order), total };
  }

  private async cursorOf(
    { project }: RequestContext,
    { starting_after_id: id }: OrderListQuery,
  ): Promise<OrderCursor | null | Refusal<'invalid_query_params'>> {
    if (id === undefined) return null;
    const [cursor] = await runQuery<OrderCursor>(
      this.dataSource,
      'SELECT id, created_at FROM orders WHERE project_id = $1 AND id = $2',
      [project.id, id],
    );
    return (
      cursor ??
      refuse('invalid_query_params', `Property .starting_after_id names no order of the list: ${id}`)
    );
  }
}
