import type {
  ClaimEffect,
  ClaimRow,
  Contention,
  LostClaim,
  NewClaim,
  ObjectClaim,
  Taken,
} from '@scrip/claims';
import type { OrderSnapshot, StoredOrder } from '@scrip/contracts/customers';
import { classifyDatabaseError } from '@scrip/event-store';
import { type RequestContext, internalContext } from '@scrip/kernel';
import type { CustomersRefusal } from '../customers.refusals';
import { type NewOrderClaim, type OrderClaimKey, orderInUse } from './order-claim';
import type { OrderClaimTable } from './order-claim.table';
import type { OrderReads } from './order.reads';
import type { OrderRefund } from './order-refund';
import type { OrderSettlement } from './order-settlement';
import { tooLarge } from './order-size';

type Granted = { order: OrderSnapshot };

const inProject = ({ project }: RequestContext, claims: readonly ObjectClaim[]): OrderClaimKey[] =>
  claims.map(({ redemption_id, claim_id, object_id }) => ({
    project_id: project.id,
    redemption_id,
    claim_id,
    object_id,
  }));

const asStored = (context: RequestContext, claim: NewClaim): NewOrderClaim => {
  const { claim_id, redemption_id, object_id, asks, replaces } = claim;
  if (!asks.order) throw new Error(`claim ${claim_id} asks nothing of its order`);
  const { order, base_version, after = null } = asks.order;
  return {
    redemption_id,
    claim_id,
    project_id: context.project.id,
    object_id,
    base_version,
    after,
    source_id: base_version === null ? order.source_id : null,
    kept: order,
    context,
    replaces,
  };
};

/** The effect of claims on orders. A provisional order lives in its claim row; its events are appended when the claim is
 *  confirmed. One redemption at a time holds an order. Source: architecture §8. */
export class OrderEffect implements ClaimEffect<StoredOrder, Granted> {
  constructor(
    private readonly table: OrderClaimTable,
    private readonly orders: OrderReads,
    private readonly settlement: OrderSettlement,
    private readonly refunds: OrderRefund,
  ) {}

  load(context: RequestContext, objects: readonly string[]): Promise<(StoredOrder | CustomersRefusal)[]> {
    return this.orders.loadEach(context, objects);
  }

  /** One round trip. A refusal is contended also when the order has another version: a claim may name the version that the
   *  holder's confirmation will make. */
  async take(context: RequestContext, claim: NewClaim): Promise<Taken<Granted>> {
    const stored = asStored(context, claim);
    // Here, not when it is confirmed: what is promised has to be storable.
    const refusal = tooLarge(stored.kept, 'Property .order cannot be');
    if (refusal) return { refusal, contended: false };
    try {
      if (await this.table.insert(stored)) return { granted: { order: stored.kept } };
    } catch (error) {
      // After a fault the claim may yet be made: the coordinator takes another id, which replaces this one.
      if (classifyDatabaseError(error).kind !== 'unique') throw error;
    }
    return { refusal: orderInUse(claim.object_id), contended: true };
  }

  async grantedAgain(
    context: RequestContext,
    { claim_id, state, object_id, kept }: ClaimRow,
  ): Promise<Granted> {
    const order = (kept as OrderSnapshot | null) ?? (await this.orders.loadAlsoUnread(context, object_id));
    if (!order) throw new Error(`claim ${claim_id} is ${state}, but its order does not exist`);
    return { order };
  }

  async contention(context: RequestContext, claim: NewClaim): Promise<Contention> {
    const { rivals, fits, outdated } = await this.table.contention(asStored(context, claim));
    if (outdated) return { now: 'final' };
    // What the claim replaces is reverted in the statement that makes the claim: it is no rival.
    const others = rivals.filter(({ claim_id }) => !claim.replaces.includes(claim_id));
    const by = others.filter(({ state }) => state === 'PROVISIONAL');
    if (by.length > 0) return { now: 'held', by };
    return { now: others.length === 0 && fits ? 'free' : 'final' };
  }

  confirm(context: RequestContext, claims: readonly ObjectClaim[]): Promise<LostClaim[]> {
    return this.settlement.confirm(inProject(context, claims));
  }

  revert(context: RequestContext, claims: readonly ObjectClaim[]): Promise<void> {
    return this.settlement.revert(inProject(context, claims));
  }

  refund(...request: Parameters<OrderRefund['refund']>): ReturnType<OrderRefund['refund']> {
    return this.refunds.refund(...request);
  }

  inUse(orderId: string): CustomersRefusal {
    return orderInUse(orderId);
  }

  async contextOf(projectId: string): Promise<RequestContext | undefined> {
    const context = await this.table.contextIn(projectId);
    return context && internalContext(context.project);
  }
}
