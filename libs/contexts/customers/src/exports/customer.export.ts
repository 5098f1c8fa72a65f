import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { ExportField, ExportOrderField, ExportParameters } from '@scrip/contracts/operations';
import { orderOf } from '@scrip/edge';
import type { ExportKind } from '@scrip/exports';
import { type BusinessClock, isRefused, refuse, type RequestContext } from '@scrip/kernel';
import { StatementValues, storedFilter } from '@scrip/list-query';
import type { MetadataTypes } from '@scrip/metadata-schemas';
import { InjectBusinessClock } from '@scrip/service';
import { type CustomerResponse, renderCustomer } from '@scrip/wire/customers';
import type { DataSource } from 'typeorm';
import { foundSnapshot } from '../customer/customer.handlers';
import { type CustomerRow, CustomerReads } from '../customer/customer.reads';
import { filterMustFit } from '../segment/segment-filter';
import { FilterContexts } from '@scrip/metadata';
import { matchingDocuments } from '../segment/segment-matching';
import { blocksOf, type CustomerSums, sumsOf } from '../summary/customer-blocks';

type ExportedRow = CustomerRow & CustomerSums;

type OrderField = ExportOrderField<'customer'>;

const sums = sumsOf('c', 'id');

const sealedOrders = ['name', 'email'] as const;

const sorts: Record<Exclude<OrderField, (typeof sealedOrders)[number]>, string> = {
  id: 'k.customer_id',
  source_id: 'k.source_id',
  created_at: 'c.created_at',
  updated_at: 'c.changed_at',
};

const isStored = (field: string): field is keyof typeof sorts => Object.hasOwn(sorts, field);

const orderSql = (order: string): string => {
  const { field, descending } = orderOf(order);
  const direction = descending ? 'DESC' : 'ASC';
  return isStored(field) ? `ORDER BY ${sorts[field]} ${direction}, k.customer_id ${direction}` : '';
};

/** Customers, as GET /v1/customers shows them: opened with their keys, without which none of them is read. Filters are those of
 *  segments, tested on the opened customers. Source: reference 07 §12. */
@Injectable()
export class CustomerExport implements ExportKind<ExportedRow, CustomerResponse> {
  readonly kind = 'customer';
  readonly metadataSchema = 'customer';
  readonly sealedOrders = sealedOrders;

  constructor(
    @InjectDataSource('customers') private readonly dataSource: DataSource,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly reads: CustomerReads,
    private readonly filterContexts: FilterContexts,
  ) {}

  statement({ project }: RequestContext, { filters, order }: ExportParameters, typeOf: MetadataTypes) {
    const refusal = filterMustFit(filters, { project, now: this.clock.now(project), typeOf });
    if (isRefused(refusal))
      return refuse(
        'invalid_payload',
        refusal.details?.replace(/^Property \.filter\./, 'Property .parameters.filters.'),
      );
    const { add, all } = new StatementValues();
    const id = add(project.id);
    const text = `
      SELECT k.project_id, k.customer_id, k.wrapped_key, c.version::int AS version, c.epoch, c.state, ${sums}
      FROM customers c JOIN customer_keys k ON k.project_id = c.project_id AND k.customer_id = c.id
      WHERE c.project_id = ${id} AND k.project_id = ${id} AND c.deleted_at IS NULL
      ${orderSql(order)}`;
    return { text, values: all };
  }

  async open(
    context: RequestContext,
    rows: readonly ExportedRow[],
    { filters }: ExportParameters,
    typeOf: MetadataTypes,
  ): Promise<CustomerResponse[]> {
    const customers = rows.map((row) =>
      renderCustomer(foundSnapshot(this.reads.openedOnce(row)), blocksOf(row)),
    );
    if (Object.keys(filters.fields).length === 0) return customers;
    const at = await this.filterContexts.now(context, 'customer');
    const candidates = customers.map((doc) => ({ id: doc.id, doc }));
    const filter = storedFilter(filters);
    const matching = await matchingDocuments(this.dataSource, { ...at, typeOf, filter }, candidates);
    return customers.filter(({ id }) => matching.has(id));
  }

  readonly cells: Record<ExportField<'customer'>, (customer: CustomerResponse) => unknown> = {
    name: ({ name }) => name,
    id: ({ id }) => id,
    description: ({ description }) => description,
    email: ({ email }) => email,
    source_id: ({ source_id }) => source_id,
    created_at: ({ created_at }) => created_at,
    updated_at: ({ updated_at }) => updated_at,
    phone: ({ phone }) => phone,
    birthday: ({ birthday }) => birthday,
    birthdate: ({ birthdate }) => birthdate,
    address_city: ({ address }) => address?.city,
    address_state: ({ address }) => address?.state,
    address_line_1: ({ address }) => address?.line_1,
    address_line_2: ({ address }) => address?.line_2,
    address_country: ({ address }) => address?.country,
    address_postal_code: ({ address }) => address?.postal_code,
    redemptions_total_redeemed: ({ summary }) => summary.redemptions.total_redeemed,
    redemptions_total_failed: ({ summary }) => summary.redemptions.total_failed,
    redemptions_total_succeeded: ({ summary }) => summary.redemptions.total_succeeded,
    redemptions_total_rolled_back: ({ summary }) => summary.redemptions.total_rolled_back,
    redemptions_total_rollback_failed: ({ summary }) => summary.redemptions.total_rollback_failed,
    redemptions_total_rollback_succeeded: ({ summary }) => summary.redemptions.total_rollback_succeeded,
    orders_total_amount: ({ summary }) => summary.orders.total_amount,
    orders_total_count: ({ summary }) => summary.orders.total_count,
    orders_average_amount: ({ summary }) => summary.orders.average_amount,
    orders_last_order_amount: ({ summary }) => summary.orders.last_order_amount,
    orders_last_order_date: ({ summary }) => summary.orders.last_order_date,
    loyalty_points: ({ loyalty }) => loyalty.points,
    loyalty_referred_customers: ({ loyalty }) => loyalty.referred_customers,
  };

  metadataOf = ({ metadata }: CustomerResponse) => metadata;
}
