import { Injectable } from '@nestjs/common';
import type { OrderSnapshot, OrderStatus } from '@scrip/contracts/customers';
import type { ExportField, ExportParameters } from '@scrip/contracts/operations';
import { orderOf } from '@scrip/edge';
import { type ExportKind, exportCondition } from '@scrip/exports';
import { type BusinessClock, isRefused, type RequestContext } from '@scrip/kernel';
import { calendarAt, type FilterColumns, StatementValues, type TypedMembers } from '@scrip/list-query';
import type { MetadataTypes } from '@scrip/metadata-schemas';
import { InjectBusinessClock } from '@scrip/service';
import { type OrderRow, readOrder, shownOrders } from '../order/order.reads';
import { areRead } from '../order/unread-orders.sql';

const statuses = ['CREATED', 'PAID', 'CANCELED', 'FULFILLED'] as const satisfies readonly OrderStatus[];

/** The order as answers show it: a provisional change, else its row, else the event that the row names. */
const shown = `coalesce(c.kept, t.state, (snapshot.data->'order')::jsonb)`;

const amount = (field: string) => ({ kind: 'number', sql: `(${shown}->>'${field}')::numeric` }) as const;

const columnsWith = (schema: TypedMembers): FilterColumns => ({
  created_at: { kind: 'instant', sql: 't.created_at', calendar: schema.calendar },
  updated_at: {
    kind: 'instant',
    sql: `(${shown}->>'updated_at')::timestamptz`,
    calendar: schema.calendar,
  },
  status: { kind: 'text', sql: `(${shown}->>'status')`, oneOf: statuses },
  source_id: { kind: 'text', sql: 't.source_id' },
  amount: amount('amount'),
  total_amount: amount('total_amount'),
  discount_amount: amount('discount_amount'),
  total_discount_amount: amount('total_discount_amount'),
  items_discount_amount: amount('items_discount_amount'),
  'metadata.*': { kind: 'members', sql: `${shown}->'metadata'`, schema },
});

const sorts: Readonly<Record<string, string>> = {
  created_at: 't.created_at',
  updated_at: 't.changed_at',
  status: `(${shown}->>'status')`,
};

/** Orders, as GET /v1/orders shows them. Amounts: minor units. Source: reference 07 §12. */
@Injectable()
export class OrderExport implements ExportKind<OrderRow, OrderSnapshot> {
  readonly kind = 'order';
  readonly metadataSchema = 'order';

  constructor(@InjectBusinessClock() private readonly clock: BusinessClock) {}

  statement({ project }: RequestContext, parameters: ExportParameters, typeOf: MetadataTypes) {
    const schema = { typeOf, calendar: calendarAt(project, this.clock.now(project)) };
    const { add, all } = new StatementValues();
    const { columns: selected, from } = shownOrders();
    const projectId = add(project.id);
    const where = `t.project_id = ${projectId} AND ${areRead(projectId, 't.customer_id')}`;
    const filter = exportCondition(parameters, columnsWith(schema), add);
    if (isRefused(filter)) return filter;
    const { field, descending } = orderOf(parameters.order);
    const direction = descending ? 'DESC' : 'ASC';
    const text = `SELECT ${selected} FROM ${from} WHERE ${where} AND ${filter}
      ORDER BY ${sorts[field]} ${direction}, t.id ${direction}`;
    return { text, values: all };
  }

  async open(_: RequestContext, rows: readonly OrderRow[]): Promise<OrderSnapshot[]> {
    return rows.map((row) => readOrder(row).order);
  }

  readonly cells: Record<ExportField<'order'>, (order: OrderSnapshot) => unknown> = {
    id: ({ id }) => id,
    source_id: ({ source_id }) => source_id,
    created_at: ({ created_at }) => created_at,
    updated_at: ({ updated_at }) => updated_at,
    status: ({ status }) => status,
    amount: ({ amount }) => amount,
    discount_amount: ({ discount_amount }) => discount_amount,
    items_discount_amount: ({ items_discount_amount }) => items_discount_amount,
    total_discount_amount: ({ total_discount_amount }) => total_discount_amount,
    total_amount: ({ total_amount }) => total_amount,
    customer_id: ({ customer_id }) => customer_id,
    referrer_id: ({ referrer_id }) => referrer_id,
  };

  metadataOf = ({ metadata }: OrderSnapshot) => metadata;
}
