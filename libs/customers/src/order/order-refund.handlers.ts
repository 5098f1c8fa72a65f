import { Injectable } from '@nestjs/common';
import type { Claimed, OrderEvent, OrderSnapshot } from '@scrip/contracts';
import { type AggregateStore, type Decision, type EventStore, InjectEventStore } from '@scrip/event-store';
import { type Refusal, type RequestContext, isRefused, refuse } from '@scrip/kernel';
import type { EntityManager } from 'typeorm';
import { type OrderClaim, claimAbandoned, orderInUse, refunded } from './order-claim';
import { OrderClaimTable } from './order-claim-table';
import { OrderVerdicts } from './order-verdicts';
import { orderAggregate } from './order.aggregate';
import { type RefundOrder, evolveOrder, refundOrder } from './order.decider';

/** What a rollback asks of an order. */
export type RefundOrderRequest = RefundOrder & { claim_id: string; order_id: string };

/** Each try but the first follows a settlement of who held the order. */
const refundTries = 4;

type Refunded = { order: OrderSnapshot } | { heldBy: OrderClaim };

/** Gives back what redemptions took from orders. */
@Injectable()
export class OrderRefundHandlers {
  private readonly orders: AggregateStore<OrderSnapshot, OrderEvent>;

  constructor(
    @InjectEventStore('customers') eventStore: EventStore,
    private readonly table: OrderClaimTable,
    private readonly verdicts: OrderVerdicts,
  ) {
    this.orders = eventStore.aggregate(orderAggregate);
  }

  /** See `CustomersPort.refundOrder`. */
  async refund(
    context: RequestContext,
    request: RefundOrderRequest,
  ): Promise<Claimed<{ order: OrderSnapshot }>> {
    const { claim_id, order_id } = request;
    for (let tries = 1; tries <= refundTries; tries++) {
      const [own] = await this.table.find([{ redemption_id: request.redemption_id, claim_id }]);
      // A redemption must not be refunded before its confirmation, nor refused because that is late: ask.
      if (own?.state === 'PROVISIONAL') await this.verdicts.askFor(context, [own]);
      const end = await this.orders.executeLocked<Refunded>({
        context,
        streamId: order_id,
        decide: (order, read) => this.decide(context, order, request, read),
      });
      if (isRefused(end)) return { claim_id, refusal: end };
      if ('order' in end) return { claim_id, order: end.order };
      await this.verdicts.askFor(context, [end.heldBy]);
    }
    return { claim_id, refusal: orderInUse(order_id) };
  }

  /** Runs under the order's lock, which also keeps new claims off the order. */
  private async decide(
    context: RequestContext,
    order: OrderSnapshot | undefined,
    request: RefundOrderRequest,
    read: EntityManager,
  ): Promise<Decision<OrderEvent, Refunded> | Refusal> {
    const { redemption_id, claim_id, order_id, rollback_id } = request;
    if (!order)
      return refuse('not_found', `Cannot find order with id ${order_id}`, {
        resourceId: order_id,
        resourceType: 'order',
      });
    const [own] = await this.table.find([{ redemption_id, claim_id }], read);
    if (own?.state !== 'CONFIRMED' && own?.state !== 'REFUNDED') return claimAbandoned(claim_id);
    const events = refundOrder(order, request);
    if (isRefused(events)) return events;
    if (events.length === 0) return { events, answer: { order } };
    const heldBy = await this.table.rivalOf(
      { project_id: context.project.id, order_id, source_id: null },
      read,
    );
    if (heldBy) return { events: [], answer: { heldBy } };
    return {
      events,
      rows: [refunded({ redemption_id, claim_id }, rollback_id)],
      answer: { order: events.reduce(evolveOrder, order) },
    };
  }
}
