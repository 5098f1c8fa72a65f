import { IsText, offsetOf, orderOf, pageQuery } from '@scrip/edge';
import {
  behindCreated,
  type CreatedCursor,
  type ListStatements,
  StatementValues,
  countOf,
} from '@scrip/list-query';
import { IsOptional } from 'class-validator';
import { shownOrders } from './order.reads';
import { areRead } from './unread-orders.sql';

/** Query of GET /v1/orders. Source: reference 07 §1.4, §5. */
export class OrderListQuery extends pageQuery({
  highestPage: 100,
  orders: ['created_at', 'updated_at'],
  order: 'created_at',
}) {
  @IsOptional()
  @IsText({
    min: 1,
    max: 512,
    description:
      'Id of the last order of a page: the list goes on behind it, however long it is. With the orders `created_at` and `-created_at`.',
  })
  starting_after_id?: string;
}

const columns = { created_at: 'created_at', updated_at: 'changed_at' } as const;

/** The statements of a page, behind `cursor` where there is one, and of the bounded count of all. */
export const orderListStatements = (
  projectId: string,
  query: OrderListQuery,
  cursor: CreatedCursor | null,
): ListStatements => {
  const values = new StatementValues();
  values.add(projectId);
  const { field, descending } = orderOf(query.order);
  const direction = descending ? 'DESC' : 'ASC';
  const order = `t.${columns[field]} ${direction}, t.id ${direction}`;
  const listed = `t.project_id = $1 AND ${areRead('$1', 't.customer_id')}`;
  const count = { text: countOf(`SELECT 1 FROM orders t WHERE ${listed}`), values: [projectId] };
  const after = cursor ? ` AND ${behindCreated(cursor, 't', descending)(values.add)}` : '';
  const { limit } = query;
  const offset = offsetOf(query);
  // Events and claims are read for the rows of the page only.
  const rows = `(
    SELECT * FROM orders t WHERE ${listed}${after}
    ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}) t`;
  const { columns: shown, from } = shownOrders(rows);
  return {
    page: { text: `SELECT ${shown} FROM ${from} ORDER BY ${order}`, values: values.all },
    count,
    limit,
    offset,
    behindCursor: cursor !== null,
  };
};
