import { Injectable, Logger } from '@nestjs/common';
import type { OrderEvent, OrderSnapshot } from '@scrip/contracts';
import {
  type AggregateStore,
  type EventStore,
  InjectEventStore,
  StaleRow,
  UniqueViolation,
  VersionConflict,
  classifyDatabaseError,
} from '@scrip/event-store';
import { Fault, type RequestContext } from '@scrip/kernel';
import { type ClaimKey, type OrderClaim, confirmed } from './order-claim';
import { OrderClaimTable } from './order-claim-table';
import { orderAggregate } from './order.aggregate';
import { changeOrder } from './order.decider';

/** The verdict on one claim. */
export interface ClaimVerdict extends ClaimKey {
  project_id: string;
  order_id: string;
  recorded: boolean;
}

type OpenOrderClaim = OrderClaim & { draft: OrderSnapshot; context: RequestContext };

/** Others settle too; each failed try means that one of them was first. */
const settleTries = 3;

const wasSettledMeanwhile = (error: unknown): boolean =>
  error instanceof StaleRow ||
  error instanceof VersionConflict ||
  error instanceof UniqueViolation ||
  classifyDatabaseError(error).kind === 'unique' ||
  (error instanceof Fault && classifyDatabaseError(error.cause).kind === 'transient');

const inOrderOfIds = (a: OrderClaim, b: OrderClaim): number => (a.order_id < b.order_id ? -1 : 1);

const isOpen = (claim: OrderClaim): claim is OpenOrderClaim =>
  claim.state === 'PROVISIONAL' && claim.draft !== null && claim.context !== null;

/** Carries out verdicts: appends the events of recorded orders, drops the others. Source: architecture §8.4. */
@Injectable()
export class OrderSettlement {
  private readonly logger = new Logger(OrderSettlement.name);
  private readonly orders: AggregateStore<OrderSnapshot, OrderEvent>;

  constructor(
    @InjectEventStore('customers') eventStore: EventStore,
    private readonly table: OrderClaimTable,
  ) {
    this.orders = eventStore.aggregate(orderAggregate);
  }

  /** Idempotent; a batch takes few statements, however large. */
  async settle(verdicts: readonly ClaimVerdict[]): Promise<void> {
    await this.revert(verdicts.filter(({ recorded }) => !recorded));
    await this.confirm(verdicts.filter(({ recorded }) => recorded));
  }

  private async revert(claims: readonly ClaimVerdict[]): Promise<void> {
    for (let tries = 1; claims.length > 0; tries++) {
      try {
        return await this.table.revert(claims);
      } catch (error) {
        // A late claim arrived while its tombstone was written: the next round finds and reverts it.
        if (!wasSettledMeanwhile(error) || tries === settleTries) throw error;
      }
    }
  }

  private async confirm(keys: readonly ClaimVerdict[]): Promise<void> {
    const claims = await this.provisional(keys);
    if (claims.length === 0) return;
    try {
      await this.append(claims);
    } catch (error) {
      // PostgreSQL is away: later, all of them.
      if (error instanceof Fault && !wasSettledMeanwhile(error)) throw error;
      // Some are settled by now, or one cannot be stored: one by one, so that none stops the others.
      const ends = await Promise.allSettled(claims.map((claim) => this.confirmAlone(claim)));
      const failed = ends.find(({ status }) => status === 'rejected');
      if (failed) throw (failed as PromiseRejectedResult).reason;
    }
  }

  private async confirmAlone(key: ClaimKey): Promise<void> {
    for (let tries = 1; ; tries++) {
      const claims = await this.provisional([key]);
      if (claims.length === 0) return;
      try {
        return await this.append(claims);
      } catch (error) {
        if (!wasSettledMeanwhile(error) || tries === settleTries) throw error;
      }
    }
  }

  /** Those that wait for a confirmation. A recorded claim that is not there to be confirmed is a defect of the protocol:
   *  told loudly, and no reason to leave the others waiting. */
  private async provisional(keys: readonly ClaimKey[]): Promise<OpenOrderClaim[]> {
    if (keys.length === 0) return [];
    const found = await this.table.find(
      keys.map(({ redemption_id, claim_id }) => ({ redemption_id, claim_id })),
    );
    const known = new Map(found.map((claim) => [claim.claim_id, claim]));
    for (const { claim_id, redemption_id } of keys) {
      const state = known.get(claim_id)?.state ?? 'unknown';
      if (state === 'REVERTED' || state === 'unknown') {
        this.logger.error(`recorded redemption ${redemption_id}: its order claim ${claim_id} is ${state}`);
      }
    }
    return found.filter(isOpen);
  }

  private async append(claims: readonly OpenOrderClaim[]): Promise<void> {
    for (const projectId of new Set(claims.map(({ project_id }) => project_id))) {
      const sorted = claims.filter(({ project_id }) => project_id === projectId).sort(inOrderOfIds);
      await this.appendNew(sorted.filter(({ base_version }) => base_version === null));
      await this.appendChanged(sorted.filter(({ base_version }) => base_version !== null));
    }
  }

  private async appendNew(claims: readonly OpenOrderClaim[]): Promise<void> {
    const [first] = claims;
    if (!first) return;
    await this.orders.createMany(
      null,
      first.context,
      claims.map((claim) => ({
        streamId: claim.order_id,
        context: claim.context,
        events: changeOrder(undefined, claim.draft),
        rows: [confirmed(claim)],
      })),
    );
  }

  private async appendChanged(claims: readonly OpenOrderClaim[]): Promise<void> {
    const [first] = claims;
    if (!first) return;
    const stored = await this.orders.loadMany(
      first.project_id,
      claims.map(({ order_id }) => order_id),
    );
    await this.orders.commitMany(
      null,
      first.context,
      claims.map((claim) => {
        const order = stored.get(claim.order_id);
        if (!order)
          throw new Error(`claim ${claim.claim_id} holds order ${claim.order_id}, which does not exist`);
        return {
          streamId: claim.order_id,
          context: claim.context,
          expectedVersion: order.version,
          state: order.state,
          events: changeOrder(order.state, claim.draft),
          rows: [confirmed(claim)],
        };
      }),
    );
  }
}
