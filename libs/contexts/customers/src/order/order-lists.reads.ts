import { Injectable } from '@nestjs/common';
import type { OrderSnapshot } from '@scrip/contracts/customers';
import { type Refusal, type RequestContext, isRefused } from '@scrip/kernel';
import { createdCursor, InjectListReader, type ListReader } from '@scrip/service';
import { type OrderListQuery, orderListStatements } from './order-list.query';
import { type OrderRow, readOrder } from './order.reads';

/** Pages of orders, provisional changes of stored ones overlaid. */
@Injectable()
export class OrderLists {
  constructor(@InjectListReader('customers') private readonly lists: ListReader) {}

  /** Refuses `invalid_query_params`: a cursor that names no order, or beside the order of changes.
   *  Source: reference 07 §1.4. */
  async list(
    context: RequestContext,
    query: OrderListQuery,
  ): Promise<{ orders: OrderSnapshot[]; total: number } | Refusal<'invalid_query_params'>> {
    const cursor = await createdCursor(this.lists, context, query, { tables: ['orders'], what: 'order' });
    if (isRefused(cursor)) return cursor;
    const statements = orderListStatements(context.project.id, query, cursor);
    const { rows, total } = await this.lists.page<OrderRow>(context, statements);
    return { orders: rows.map((row) => readOrder(row).order), total };
  }
}
