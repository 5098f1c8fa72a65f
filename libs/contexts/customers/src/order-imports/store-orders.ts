import { Injectable } from '@nestjs/common';
import type { CustomerInput, OrderEvent, OrderSnapshot } from '@scrip/contracts/customers';
import {
  type AggregateStore,
  type EventStore,
  InjectEventStore,
  type NewStream,
  runQuery,
} from '@scrip/event-store';
import {
  type BusinessClock,
  isRefused,
  newId,
  notFound,
  refuse,
  type Refusal,
  type RequestContext,
} from '@scrip/kernel';
import type { CheckMetadata, OrderChecks } from '@scrip/metadata-schemas';
import type { Catalogue } from '@scrip/order-calculation';
import { InjectBusinessClock } from '@scrip/service';
import type { EntityManager } from 'typeorm';
import type { CustomerRefusal } from '../customer/customer-writing';
import { UpsertCustomers } from '../customer/upsert-customers';
import { orderAggregate } from '../order/order.aggregate';
import { evolveOrder } from '../order/order.decider';
import type { CreateOrderRequest } from '../order/order-requests';
import { sourceIdOfNew } from '../order/order-source-id';
import { decideOrderWrite } from '../order/write-order.decider';

/** Orders to import. `catalogues`: the records that the items of each name. `check`: the schema of customers, `checks`: those
 *  of orders and items. */
export interface OrdersToImport {
  requests: readonly CreateOrderRequest[];
  catalogues: readonly Catalogue[];
  check: CheckMetadata;
  checks: OrderChecks;
}

/** What became of an order: it is stored, or why it is not. */
export type ImportedOrder = OrderSnapshot | Refusal<string>;

type Person = string | null | CustomerRefusal;

/** Who an order names. */
interface People {
  customer: Person;
  referrer: Person;
}

// A claim, or the row that keeps the source id of a call's order, has it as long as it is not reverted.
const takenSql = `
  SELECT source_id FROM order_claims WHERE project_id = $1 AND source_id = ANY($2) AND state <> 'REVERTED'
  UNION SELECT source_id FROM orders WHERE project_id = $1 AND source_id = ANY($2)`;

const isSomebody = (customer: CustomerInput | undefined): customer is CustomerInput =>
  customer !== undefined && Object.keys(customer).length > 0;

const duplicate = (name: 'id' | 'source_id', value: string): Refusal<'duplicate_found'> =>
  refuse('duplicate_found', `Duplicated order exists with ${name} ${value}`);

/** Creates orders by the set. No webhook, and no event of a status, tells of them. Source: reference 07 §5. */
@Injectable()
export class StoreOrders {
  private readonly orders: AggregateStore<OrderSnapshot, OrderEvent>;

  constructor(
    @InjectEventStore('customers') events: EventStore,
    private readonly customers: UpsertCustomers,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {
    this.orders = events.aggregate(orderAggregate);
  }

  /** Stores each in the order of the set and in the transaction of `manager`, its customer and referrer before it. Refuses
   *  `duplicate_found` for an order that exists, `not_found` for an unknown id, and what a single call refuses. Throws
   *  `UniqueViolation` where another call creates one of them meanwhile. */
  async store(
    manager: EntityManager,
    context: RequestContext,
    { requests, catalogues, check, checks }: OrdersToImport,
  ): Promise<ImportedOrder[]> {
    const people = await this.people(manager, context, requests, check);
    const taken = await this.takenIn(manager, context, requests);
    const created: NewStream<OrderEvent>[] = [];
    const answers = requests.map((request, index) => {
      const refusal = taken.refusalOf(request);
      if (refusal) return refusal;
      const named = { people: people[index]!, catalogue: catalogues[index]!, checks };
      const order = this.orderOf(context, request, named);
      if (isRefused(order)) return order;
      taken.take(order);
      created.push({
        streamId: order.id,
        events: [{ type: 'OrderCreated', data: { order, imported: true } }],
        rows: sourceIdOfNew(context.project.id, order),
      });
      return order;
    });
    if (created.length > 0) await this.orders.createMany(manager, context, created);
    return answers;
  }

  private orderOf(
    context: RequestContext,
    { customer: _customer, referrer: _referrer, id: _id, referrer_id: _, ...said }: CreateOrderRequest,
    {
      people: { customer, referrer },
      catalogue,
      checks,
    }: { people: People; catalogue: Catalogue; checks: OrderChecks },
  ): OrderSnapshot | Refusal<string> {
    if (isRefused(customer)) return customer;
    if (isRefused(referrer)) return referrer;
    const decided = decideOrderWrite(
      {
        type: 'CreateOrder',
        order_id: newId('ord_'),
        draft: {
          ...said,
          source_id: said.source_id || null,
          ...(customer === null ? {} : { customer_id: customer }),
          ...(referrer === null ? {} : { referrer_id: referrer }),
        },
        catalogue,
        checks,
        now: this.clock.now(context.project).toISOString(),
      },
      undefined,
    );
    if (isRefused(decided)) return decided;
    const order = decided.reduce<OrderSnapshot | undefined>(evolveOrder, undefined);
    if (!order) throw new Error('an order was created without an event');
    return order;
  }

  /** Stores who the orders name; an inline referrer stands above `referrer_id`. */
  private async people(
    manager: EntityManager,
    context: RequestContext,
    requests: readonly CreateOrderRequest[],
    check: CheckMetadata,
  ): Promise<People[]> {
    const named = requests.map(({ customer, referrer, referrer_id }) => ({
      customer: isSomebody(customer) ? customer : null,
      referrer: isSomebody(referrer) ? referrer : referrer_id ? { id: referrer_id } : null,
    }));
    const all = named.flatMap(({ customer, referrer }) => [customer, referrer]);
    const items = all.flatMap((customer) => (customer ? [{ customer, new_id: newId('cust_') }] : []));
    const stored =
      items.length === 0 ? [] : await this.customers.upsertIn(manager, context, items, { bulk: true, check });
    let next = 0;
    const personOf = (sent: CustomerInput | null): Person => {
      if (!sent) return null;
      const one = stored[next++]!;
      return isRefused(one) ? one : one.customer.id;
    };
    return named.map(({ customer, referrer }) => ({
      customer: personOf(customer),
      referrer: personOf(referrer),
    }));
  }

  private async takenIn(
    manager: EntityManager,
    { project }: RequestContext,
    requests: readonly CreateOrderRequest[],
  ): Promise<{
    refusalOf(request: CreateOrderRequest): Refusal<string> | null;
    take(order: OrderSnapshot): void;
  }> {
    const sourceIds = requests.flatMap(({ source_id }) => source_id || []);
    const ids = requests.flatMap(({ id }) => id || []);
    const rows = await runQuery<{ source_id: string }>(manager, takenSql, [project.id, sourceIds]);
    const stored = await runQuery<{ id: string }>(
      manager,
      'SELECT id FROM orders WHERE project_id = $1 AND id = ANY($2)',
      [project.id, ids],
    );
    const [taken, known] = [
      new Set(rows.map(({ source_id }) => source_id)),
      new Set(stored.map(({ id }) => id)),
    ];
    return {
      refusalOf({ id, source_id }) {
        if (id) return known.has(id) ? duplicate('id', id) : notFound('order', id);
        return source_id && taken.has(source_id) ? duplicate('source_id', source_id) : null;
      },
      take({ source_id }) {
        if (source_id !== null) taken.add(source_id);
      },
    };
  }
}
