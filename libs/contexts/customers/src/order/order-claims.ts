import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { ClaimTable, ClaimsOwner } from '@scrip/claims';
import type { OrderSnapshot, StoredOrder } from '@scrip/contracts/customers';
import { type QualificationPort, qualificationPort } from '@scrip/contracts/qualification';
import { type EventStore, InjectEventStore } from '@scrip/event-store';
import { type Refusal, type RequestContext, isRefused } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import { InjectMetrics, type Metrics } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { OrderClaimTable } from './order-claim.table';
import { OrderEffect } from './order-effect';
import { OrderReads } from './order.reads';
import { OrderRefund } from './order-refund';
import { OrderSettlement } from './order-settlement';
import { type OrderChange, OrderWriter } from './order-writer';

/** Claims on orders, and changes of orders that have to wait for them. Source: architecture §8. */
@Injectable()
export class OrderClaims extends ClaimsOwner<StoredOrder, { order: OrderSnapshot }> {
  private readonly writer: OrderWriter;

  constructor(
    @InjectEventStore('customers') events: EventStore,
    @InjectDataSource('customers') dataSource: DataSource,
    @InjectPort(qualificationPort) qualification: QualificationPort,
    @InjectMetrics() metrics: Metrics,
    private readonly orders: OrderReads,
  ) {
    const table = new ClaimTable(dataSource, 'order_claims');
    const orderTable = new OrderClaimTable(dataSource);
    const writer = new OrderWriter(events, orderTable);
    const settlement = new OrderSettlement(writer, orderTable);
    const effect = new OrderEffect(orderTable, orders, settlement, new OrderRefund(writer, table));
    super({ name: 'order', table, effect, qualification, metrics });
    this.writer = writer;
  }

  /** See `CustomersPort.loadOrder`, with `settle`. A draft that is still open is shown: the redemption that reads it
   *  waits for it when it claims. */
  async loadSettled(
    context: RequestContext,
    named: { id?: string; source_id?: string },
  ): Promise<StoredOrder | null | Refusal<'not_found' | 'duplicate_found'>> {
    const read = await this.orders.load(context, named);
    if (read === null || isRefused(read) || read.after === undefined) return read;
    await this.settleKnown(context, { object_id: read.order.id, claim_id: read.after });
    return this.orders.load(context, named);
  }

  /** Creates an order for a caller who is no redemption; see `OrderWriter.create`. */
  create(...created: Parameters<OrderWriter['create']>): ReturnType<OrderWriter['create']> {
    return this.writer.create(...created);
  }

  /** Changes a stored order for a caller who is no redemption: an API call or an import. Returns the answer of the decision
   *  that was written. While a redemption holds the order it waits as a second redemption would, and lets the decision be
   *  made again on what that one left. Refuses `not_found`, what `decide` refuses, and `multiple_requests` where the order
   *  stays held. Source: reference 03 §8, reference 07 §5. */
  async change<Answer, Key extends string = never>(
    context: RequestContext,
    change: OrderChange<Answer, Key>,
  ): Promise<Answer | Refusal<Key | 'not_found' | 'multiple_requests'>> {
    const end = await this.whenFree(context, change.orderId, () => this.writer.change(context, change));
    // Of the refusals of owners, waiting ends with one only: `OrderEffect.inUse`.
    return isRefused(end) ? (end as Refusal<Key | 'not_found' | 'multiple_requests'>) : end.answer;
  }
}
