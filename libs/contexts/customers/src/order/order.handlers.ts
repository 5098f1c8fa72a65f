import { Injectable } from '@nestjs/common';
import { type CatalogPort, catalogPort, storedCatalogue } from '@scrip/contracts/catalog';
import { type CustomerInput, type OrderSnapshot, storedUnder } from '@scrip/contracts/customers';
import { UniqueViolation, decisionOf } from '@scrip/event-store';
import {
  type BusinessClock,
  type IdSource,
  type Refusal,
  type RequestContext,
  isRefused,
  notFound,
} from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import { InjectPort } from '@scrip/rpc';
import { InjectBusinessClock } from '@scrip/service';
import { CustomerHandlers } from '../customer/customer.handlers';
import type { CustomerRefusal } from '../customer/customer-writing';
import { orderInUse } from './order-claim';
import { OrderClaims } from './order-claims';
import type { CreateOrderRequest, UpdateOrderRequest } from './order-requests';
import { sourceIdOfChanged } from './order-source-id';
import { orderAggregate } from './order.aggregate';
import { duplicateOrder, OrderReads } from './order.reads';
import { ordersAreRead } from './unread-orders.sql';
import { type OrderDraft, type WriteOrder, type WriteRefusal, decideOrderWrite } from './write-order.decider';

/** What calls for orders refuse with. */
export type OrderCallRefusalKey =
  'invalid_payload' | 'metadata_validation_failed' | 'not_found' | 'duplicate_found' | 'multiple_requests';

type OrderCallRefusal = Refusal<OrderCallRefusalKey>;

/** Redemptions that create orders under a source id and give up; each failed try means that one of them was first. */
const upsertTries = 5;

/** Null and an empty text are no source id. */
const sourceIdOf = ({ source_id }: UpdateOrderRequest): { source_id?: string | null } =>
  source_id === undefined ? {} : { source_id: source_id || null };

/** Creates, changes and finds orders for calls; redemptions go through `OrderClaims`. Source: reference 07 §5. */
@Injectable()
export class OrderHandlers {
  constructor(
    private readonly claims: OrderClaims,
    private readonly reads: OrderReads,
    private readonly customers: CustomerHandlers,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    @InjectPort(catalogPort) private readonly catalog: CatalogPort,
    private readonly metadata: MetadataSchemas,
  ) {}

  /** Returns the order of that id, else of that source id, provisional changes overlaid. Refuses `not_found`. */
  async find(context: RequestContext, idOrSourceId: string): Promise<OrderSnapshot | Refusal<'not_found'>> {
    const byId = await this.reads.load(context, { id: idOrSourceId });
    if (byId !== null && !isRefused(byId)) return byId.order;
    const bySourceId = await this.reads.load(context, { source_id: idOrSourceId });
    return bySourceId === null || isRefused(bySourceId) ? notFound('order', idOrSourceId) : bySourceId.order;
  }

  /** Changes the order that `id` names, else the one that `source_id` names, else creates one; once under the same `ids`: a
   *  repetition answers the order as it is. Customer and referrer are
   *  stored first, and stay stored whatever becomes of the order. Refuses `not_found` for an unknown id of an order or
   *  customer, `duplicate_found`, `invalid_payload`, and `multiple_requests` where a redemption keeps holding the order. */
  async upsert(
    context: RequestContext,
    ids: IdSource,
    request: CreateOrderRequest,
  ): Promise<OrderSnapshot | OrderCallRefusal> {
    if (request.id !== undefined) {
      const stored = await this.reads.load(context, { id: request.id });
      if (stored === null || isRefused(stored)) return notFound('order', request.id);
      return this.update(context, ids, stored.order, request);
    }
    const draft = await this.draftOf(context, ids, request);
    if (isRefused(draft)) return draft;
    const create = await this.command(context, 'CreateOrder', ids.next('ord_', 'order'), draft);
    return draft.source_id
      ? this.upsertNamed(context, ids, draft.source_id, create)
      : this.claims.create(context, create, ids);
  }

  /** Changes an order that `find` returned. Refuses as `upsert`, and `duplicate_found` for a source id that another order
   *  has. */
  async update(
    context: RequestContext,
    ids: IdSource,
    order: OrderSnapshot,
    request: UpdateOrderRequest,
  ): Promise<OrderSnapshot | OrderCallRefusal> {
    const { source_id } = sourceIdOf(request);
    if (source_id) {
      const holder = await this.reads.load(context, { source_id });
      if (isRefused(holder)) return holder;
      if (holder !== null && holder.order.id !== order.id) return duplicateOrder(source_id);
    }
    const draft = await this.draftOf(context, ids, request);
    if (isRefused(draft)) return draft;
    try {
      return await this.change(context, ids, await this.command(context, 'ChangeOrder', order.id, draft));
    } catch (error) {
      // Another call took the source id meanwhile.
      if (error instanceof UniqueViolation && source_id) return duplicateOrder(source_id);
      throw error;
    }
  }

  private async upsertNamed(
    context: RequestContext,
    ids: IdSource,
    sourceId: string,
    create: WriteOrder & { type: 'CreateOrder' },
  ): Promise<OrderSnapshot | OrderCallRefusal> {
    for (let tries = 1; tries <= upsertTries; tries++) {
      const named = await this.reads.load(context, { source_id: sourceId });
      if (isRefused(named)) return named;
      if (named !== null) {
        const change = { ...create, type: 'ChangeOrder' as const, order_id: named.order.id };
        const changed = await this.change(context, ids, change, sourceId);
        // The redemption that was about to create it gave up, or a call gave it another source id.
        if (!isRefused(changed) || changed.refused !== 'not_found') return changed;
        continue;
      }
      try {
        return await this.claims.create(context, create, ids);
      } catch (error) {
        // Another call, or a redemption, created the order of this source id meanwhile.
        if (!(error instanceof UniqueViolation)) throw error;
      }
    }
    return orderInUse(create.order_id);
  }

  /** `sourceId`: what the order must be called by when it is changed; refuses `not_found` where it is not. */
  private change(
    context: RequestContext,
    ids: IdSource,
    command: WriteOrder,
    sourceId?: string,
  ): Promise<OrderSnapshot | WriteRefusal | Refusal<'multiple_requests'>> {
    return this.claims.change(context, {
      orderId: command.order_id,
      ids,
      repeated: (order) => order,
      decide: async (order, read) => {
        if (sourceId !== undefined && order.source_id !== sourceId) return notFound('order', order.id);
        const isLeft = !(await ordersAreRead(read, context.project.id, order.customer_id));
        if (isLeft) return notFound('order', order.id);
        const decided = decideOrderWrite(command, order);
        const decision = decisionOf(orderAggregate, order, decided, (after) => after);
        if (isRefused(decision) || decision.events.length === 0) return decision;
        const renamed = { before: order, after: decision.answer };
        return { ...decision, rows: await sourceIdOfChanged(context.project.id, renamed, read) };
      },
    });
  }

  private async command<Type extends WriteOrder['type']>(
    context: RequestContext,
    type: Type,
    order_id: string,
    draft: OrderDraft,
  ): Promise<WriteOrder & { type: Type }> {
    const [catalogue, checks] = await Promise.all([
      storedCatalogue(this.catalog, context, draft.items ?? []),
      this.metadata.orderChecksOf(context),
    ]);
    return { type, order_id, draft, catalogue, checks, now: this.clock.now(context.project).toISOString() };
  }

  private async draftOf(
    context: RequestContext,
    ids: IdSource,
    request: UpdateOrderRequest,
  ): Promise<OrderDraft | CustomerRefusal> {
    const { customer, referrer, referrer_id, source_id: _, ...said } = request;
    const [customerId, referrerId] = await Promise.all([
      this.stored(context, ids, 'customer', customer),
      this.stored(context, ids, 'referrer', referrer),
    ]);
    if (isRefused(customerId)) return customerId;
    if (isRefused(referrerId)) return referrerId;
    const named = referrerId ?? (await this.known(context, referrer_id || null));
    if (isRefused(named)) return named;
    return {
      ...said,
      ...sourceIdOf(request),
      ...(customerId === null ? {} : { customer_id: customerId }),
      ...(named === null && referrer_id === undefined ? {} : { referrer_id: named }),
    };
  }

  /** Stores a customer that was sent inline; returns null where none was. */
  private async stored(
    context: RequestContext,
    ids: IdSource,
    role: 'customer' | 'referrer',
    customer: CustomerInput | undefined,
  ): Promise<string | null | CustomerRefusal> {
    if (!customer || Object.keys(customer).length === 0) return null;
    const found = await this.customers.resolve(context, { customer, store: true, ...storedUnder(ids, role) });
    return isRefused(found) ? found : found.id;
  }

  private async known(
    context: RequestContext,
    customerId: string | null,
  ): Promise<string | null | Refusal<'not_found'>> {
    if (customerId === null) return null;
    const [found] = await this.customers.loadMany(context, { ids: [customerId] });
    return found ? found.id : notFound('customer', customerId);
  }
}
