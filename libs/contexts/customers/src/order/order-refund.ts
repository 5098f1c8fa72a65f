import { type ClaimTable, type RefundEnd, claimAbandoned } from '@scrip/claims';
import type { RefundRequest } from '@scrip/contracts/claims';
import type { OrderEvent, OrderSnapshot } from '@scrip/contracts/customers';
import { type Decision, decisionOf } from '@scrip/event-store';
import { type RequestContext, isRefused } from '@scrip/kernel';
import type { EntityManager } from 'typeorm';
import type { CustomersRefusal } from '../customers.refusals';
import { refunded } from './order-claim';
import type { OrderWriter } from './order-writer';
import { orderAggregate } from './order.aggregate';
import { type OrderCommand, decideOrder } from './order.decider';

type Granted = { order: OrderSnapshot };

/** Gives back what redemptions took from orders. */
export class OrderRefund {
  constructor(
    private readonly writer: OrderWriter,
    private readonly claims: ClaimTable,
  ) {}

  /** Held while another redemption holds the order. */
  async refund(context: RequestContext, request: RefundRequest): Promise<RefundEnd<Granted>> {
    const { order: asked, object_id: orderId, ...key } = request;
    if (!asked) throw new Error(`the refund of claim ${key.claim_id} says nothing about its order`);
    const end = await this.writer.change(context, {
      orderId,
      decide: (order, read) =>
        this.decide(
          context,
          order,
          request,
          { type: 'RefundOrder', order_id: orderId, ...key, ...asked },
          read,
        ),
    });
    if (isRefused(end)) return { refusal: end };
    return 'held' in end ? end : { granted: end.answer };
  }

  private async decide(
    { project }: RequestContext,
    order: OrderSnapshot,
    { redemption_id, claim_id, object_id, rollback_id }: RefundRequest,
    refund: OrderCommand,
    read: EntityManager,
  ): Promise<Decision<OrderEvent, Granted> | CustomersRefusal> {
    const own = (await this.claims.find(project.id, object_id, [claim_id], read)).get(claim_id);
    if (own?.state !== 'CONFIRMED' && own?.state !== 'REFUNDED') return claimAbandoned(claim_id);
    const decision = decisionOf(orderAggregate, order, decideOrder(refund, order), (after) => ({
      order: after,
    }));
    if (isRefused(decision) || decision.events.length === 0) return decision;
    return {
      ...decision,
      rows: [refunded({ project_id: project.id, object_id, redemption_id, claim_id }, rollback_id)],
    };
  }
}
