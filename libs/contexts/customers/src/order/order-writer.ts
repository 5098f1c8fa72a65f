import type { HeldBy, ProvisionalClaim } from '@scrip/claims';
import type { OrderEvent, OrderSnapshot } from '@scrip/contracts/customers';
import {
  type AggregateStore,
  type Decision,
  type EventStore,
  type StreamChange,
  decisionOf,
} from '@scrip/event-store';
import { type IdSource, type Refusal, type RequestContext, isRefused, notFound } from '@scrip/kernel';
import type { EntityManager } from 'typeorm';
import { type OpenOrderClaim, confirmed } from './order-claim';
import type { OrderClaimTable } from './order-claim.table';
import { orderAggregate } from './order.aggregate';
import { changeOrder } from './order-change';
import { sourceIdOfNew } from './order-source-id';
import { type WriteOrder, type WriteRefusal, decideOrderWrite } from './write-order.decider';

/** A change of an order by a caller who holds no claim on it. */
export interface OrderChange<Answer, Key extends string> {
  orderId: string;
  /** The ids of a call that may be repeated, and what it answers then, of the order as it is stored. */
  ids?: IdSource;
  repeated?(order: OrderSnapshot): Answer;
  /** Gets the order as confirmed redemptions and earlier changes left it. Runs under the order's lock, which also keeps new
   *  claims off the order; reads through `read` only. May be called several times. */
  decide(
    order: OrderSnapshot,
    read: EntityManager,
  ): OrderDecision<Answer, Key> | Promise<OrderDecision<Answer, Key>>;
}

type OrderDecision<Answer, Key extends string> = Decision<OrderEvent, Answer> | Refusal<Key>;

/** What became of a change. Held: nothing was written. */
export type OrderChanged<Answer> = { answer: Answer } | HeldBy;

const writesNothing = ({ events, rows = [] }: Decision<OrderEvent, unknown>): boolean =>
  events.length === 0 && rows.length === 0;

/** All writes of orders. An order that a redemption holds is written by its confirmation only; every other write takes
 *  the order's lock and requires that no redemption holds the order. Source: reference 03 §8, architecture §8. */
export class OrderWriter {
  private readonly orders: AggregateStore<OrderSnapshot, OrderEvent>;

  constructor(
    events: EventStore,
    private readonly claims: OrderClaimTable,
  ) {
    this.orders = events.aggregate(orderAggregate);
  }

  /** Creates an order for a caller who holds no claim, and takes its source id in the same statement. Returns the order of
   *  this id, also where the same command stored it before. Refuses as `decideOrderWrite`. Throws `UniqueViolation` where another
   *  order has the source id, or a redemption is about to create one with it. */
  create(
    context: RequestContext,
    command: WriteOrder & { type: 'CreateOrder' },
    ids?: IdSource,
  ): Promise<OrderSnapshot | WriteRefusal> {
    return this.orders.execute({
      context,
      streamId: command.order_id,
      eventIds: ids,
      repeated: (order) => order,
      decide: (stored) => {
        const decided = decideOrderWrite(command, stored);
        const decision = decisionOf(orderAggregate, stored, decided, (order) => order);
        if (isRefused(decision) || decision.events.length === 0) return decision;
        return { ...decision, rows: sourceIdOfNew(context.project.id, decision.answer) };
      },
    });
  }

  /** Changes a stored order unless a redemption holds it: takes its lock, decides, and looks for claims that hold it. A
   *  decision that writes nothing is returned also where a redemption holds the order. Refuses what `decide` refuses,
   *  and `not_found` where no order is stored and no claim is about to create it. */
  async change<Answer, Key extends string>(
    context: RequestContext,
    { orderId, ids, repeated, decide }: OrderChange<Answer, Key>,
  ): Promise<OrderChanged<Answer> | Refusal<Key | 'not_found'>> {
    return this.orders.executeLocked<OrderChanged<Answer>, Key | 'not_found'>({
      context,
      streamId: orderId,
      eventIds: ids,
      repeated: repeated && ((order) => ({ answer: repeated(order) })),
      decide: async (order, read) => {
        const decision = order ? await decide(order, read) : notFound('order', orderId);
        const settled = isRefused(decision) || writesNothing(decision);
        const held = order && settled ? [] : await this.holdersOf(context, orderId, read);
        if (held.length > 0) return { events: [], answer: { held } };
        return isRefused(decision) ? decision : { ...decision, answer: { answer: decision.answer } };
      },
    });
  }

  /** Writes what claims made of the orders that they hold, and confirms them in the same statement. All claims are of one
   *  project. Throws what the event store throws where one of them was settled meanwhile. */
  async confirm(claims: readonly OpenOrderClaim[]): Promise<void> {
    await this.createClaimed(claims.filter(({ base_version }) => base_version === null));
    await this.overwriteClaimed(claims.filter(({ base_version }) => base_version !== null));
  }

  private holdersOf(
    { project }: RequestContext,
    orderId: string,
    read: EntityManager,
  ): Promise<ProvisionalClaim[]> {
    return this.claims.rivalsOf({ project_id: project.id, object_id: orderId, source_id: null }, read);
  }

  private async createClaimed(claims: readonly OpenOrderClaim[]): Promise<void> {
    const [first] = claims;
    if (!first) return;
    await this.orders.createMany(
      null,
      first.context,
      claims.map((claim) => ({
        streamId: claim.object_id,
        context: claim.context,
        events: changeOrder(undefined, claim.kept),
        rows: [confirmed(claim)],
      })),
    );
  }

  private async overwriteClaimed(claims: readonly OpenOrderClaim[]): Promise<void> {
    const [first] = claims;
    if (!first) return;
    const stored = await this.orders.loadMany(
      first.project_id,
      claims.map(({ object_id }) => object_id),
    );
    const changes: StreamChange<OrderSnapshot, OrderEvent>[] = [];
    for (const claim of claims) {
      const order = stored.get(claim.object_id);
      if (!order)
        throw new Error(`claim ${claim.claim_id} holds order ${claim.object_id}, which does not exist`);
      await this.checkUnchanged(claim, order.version);
      changes.push({
        streamId: claim.object_id,
        context: claim.context,
        expectedVersion: order.version,
        expectedEpoch: order.epoch,
        state: order.state,
        events: changeOrder(order.state, claim.kept),
        rows: [confirmed(claim)],
      });
    }
    await this.orders.commitMany(null, first.context, changes);
  }

  /** Throws where the order was written without this writer: what it wrote is never overwritten, the claim stays open
   *  and is told of. A version without an event is no such write: another writer of this order lost its commit, and the
   *  event store made sure that it cannot arrive. */
  private async checkUnchanged(
    { claim_id, project_id, object_id, base_version }: OpenOrderClaim,
    version: number,
  ): Promise<void> {
    if (version === base_version) return;
    if (!(await this.orders.hasEventsAbove(project_id, object_id, base_version!))) return;
    throw new Error(
      `order ${object_id} changed to version ${version} while claim ${claim_id} held ${base_version}`,
    );
  }
}
