import { Injectable } from '@nestjs/common';
import { type CatalogPort, catalogPort, namedCatalogue } from '@scrip/contracts/catalog';
import type { CustomerEvent, CustomerInput, OrderEvent, OrderSnapshot } from '@scrip/contracts/customers';
import type { Instant } from '@scrip/contracts/snapshot';
import { type AggregateStore, type EventStore, InjectEventStore, type NewStream } from '@scrip/event-store';
import { type Refusal, type RequestContext, fixedClock, isRefused } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import { InjectPort } from '@scrip/rpc';
import { customerAggregate } from '../customer/customer.aggregate';
import { type CustomerState, evolveCustomer } from '../customer/customer.decider';
import { mergeProfile } from '../customer/customer-profile';
import { CustomerVault } from '../customer/customer-vault';
import { CustomerWriting } from '../customer/customer-writing';
import { evolveOrder } from '../order/order.decider';
import { orderAggregate } from '../order/order.aggregate';
import { sourceIdOfNew } from '../order/order-source-id';
import { decideOrderWrite, type OrderDraft } from '../order/write-order.decider';

/** A customer that a call created at an instant, and that later calls changed. */
export interface SeededCustomer {
  id: string;
  customer: CustomerInput;
  createdAt: Instant;
  change?: { customer: CustomerInput; at: Instant };
}

/** An order that a call created at an instant, and that later calls changed. */
export interface SeededOrder {
  id: string;
  draft: OrderDraft;
  createdAt: Instant;
  change?: { draft: OrderDraft; at: Instant };
}

const accepted = <Decided, Key extends string>(decided: Decided | Refusal<Key>): Decided => {
  if (isRefused(decided)) throw new Error(decided.details ?? decided.refused);
  return decided as Decided;
};

/** Stores what many calls would have stored, each at an instant of its own, by few statements. Nothing is looked up: ids and
 *  source ids must be new. No webhook tells of it. For measurements of large projects. Source: ADR 106. */
@Injectable()
export class CustomersSeed {
  private readonly customers: AggregateStore<CustomerState, CustomerEvent>;
  private readonly orders: AggregateStore<OrderSnapshot, OrderEvent>;

  constructor(
    @InjectEventStore('customers') eventStore: EventStore,
    @InjectPort(catalogPort) private readonly catalog: CatalogPort,
    private readonly vault: CustomerVault,
    private readonly metadata: MetadataSchemas,
  ) {
    this.customers = eventStore.aggregate(customerAggregate);
    this.orders = eventStore.aggregate(orderAggregate);
  }

  /** Each customer is sealed with a new key of its own. Throws what a call would have refused. */
  async storeCustomers(context: RequestContext, seeded: readonly SeededCustomer[]): Promise<void> {
    const streams = await Promise.all(seeded.map((customer) => this.customerStream(context, customer)));
    await this.customers.createMany(null, context, streams);
  }

  /** Items take what products and SKUs of the catalog say. Throws what a call would have refused. */
  async storeOrders(context: RequestContext, seeded: readonly SeededOrder[]): Promise<void> {
    const items = seeded.flatMap(({ draft, change }) => [
      ...(draft.items ?? []),
      ...(change?.draft.items ?? []),
    ]);
    const catalogue = await namedCatalogue(this.catalog, context, items);
    const streams = seeded.map(({ id, draft, createdAt, change }): NewStream<OrderEvent> => {
      const named = { order_id: id, catalogue };
      const created = accepted(
        decideOrderWrite({ type: 'CreateOrder', ...named, draft, now: createdAt }, undefined),
      );
      const order = created.reduce<OrderSnapshot | undefined>(evolveOrder, undefined)!;
      const changed = change
        ? accepted(
            decideOrderWrite({ type: 'ChangeOrder', ...named, draft: change.draft, now: change.at }, order),
          )
        : [];
      const rows = sourceIdOfNew(context.project.id, order);
      return { streamId: id, events: [...created, ...changed], rows };
    });
    await this.orders.createMany(null, context, streams);
  }

  private async customerStream(
    context: RequestContext,
    { id, customer, createdAt, change }: SeededCustomer,
  ): Promise<NewStream<CustomerEvent>> {
    const creating = await this.writingAt(context, createdAt);
    const created = accepted(creating.writing.creation(creating.written, customer, id));
    const { key, events, rows } = created;
    if (!change) return { streamId: id, events, rows };
    const state = events.reduce<CustomerState | undefined>(evolveCustomer, undefined)!;
    const changing = await this.writingAt(context, change.at);
    const changed = accepted(
      changing.writing.change(
        changing.written,
        { state, key },
        (profile) => mergeProfile(profile, change.customer),
        change.customer.metadata ?? null,
      ),
    );
    if (changed.rows.length > 0) throw new Error('a seeded change moves no customer in lists');
    return { streamId: id, events: [...events, ...changed.events], rows };
  }

  private async writingAt(context: RequestContext, at: Instant) {
    const writing = new CustomerWriting(this.vault, fixedClock(at), this.metadata);
    return { writing, written: await writing.writtenBy(context, true) };
  }
}
