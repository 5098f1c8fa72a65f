import { Injectable } from '@nestjs/common';
import type { Claimed, ClaimRequest, OrderSnapshot } from '@scrip/contracts';
import { classifyDatabaseError } from '@scrip/event-store';
import { type Refusal, type RequestContext, refuse } from '@scrip/kernel';
import { type NewOrderClaim, claimAbandoned, orderInUse } from './order-claim';
import { OrderClaimTable } from './order-claim-table';
import { OrderReader } from './order-reader';
import { OrderVerdicts } from './order-verdicts';

/** What a redemption asks of an order. */
export type ClaimOrder = ClaimRequest & { order: OrderSnapshot; base_version: number | null };

type ClaimedOrder = Claimed<{ order: OrderSnapshot }>;

/** Each try but the first follows a rival's settlement: more rivals than this are a queue, not bad luck. */
const claimTries = 4;

/** Largest order, JSON in UTF-8: events that tell of it, with what stands beside it, have to fit one message of 1 MB. */
export const orderBytesMax = 600_000;

const tooLarge = (order: OrderSnapshot): Refusal | null =>
  Buffer.byteLength(JSON.stringify(order)) <= orderBytesMax
    ? null
    : refuse('invalid_payload', `Property .order cannot be larger than ${orderBytesMax} bytes`);

/** Holds orders for redemptions. */
@Injectable()
export class OrderClaimHandlers {
  constructor(
    private readonly table: OrderClaimTable,
    private readonly reader: OrderReader,
    private readonly verdicts: OrderVerdicts,
  ) {}

  /** See `CustomersPort.claimOrder`. One round trip unless somebody else holds the order. */
  async claim(context: RequestContext, request: ClaimOrder): Promise<ClaimedOrder> {
    const { claim_id, order } = request;
    // Here, not when it is confirmed: what is promised has to be storable.
    const refusal = tooLarge(order);
    if (refusal) return { claim_id, refusal };
    const claim: NewOrderClaim = {
      redemption_id: request.redemption_id,
      claim_id,
      project_id: context.project.id,
      order_id: order.id,
      base_version: request.base_version,
      source_id: request.base_version === null ? order.source_id : null,
      draft: order,
      context,
      replaces: request.replaces,
    };
    for (let tries = 1; tries <= claimTries; tries++) {
      const end = await this.tryToHold(claim);
      if (end === 'held') return { claim_id, order };
      const repeated = await this.asAnsweredFirst(context, request);
      if (repeated) return repeated;
      const rival = await this.table.rivalOf(claim);
      // Nobody is refused because of a claim whose redemption may be dead: ask first, then try again.
      if (rival?.state === 'PROVISIONAL') await this.verdicts.askFor(context, [rival]);
      else if (rival || end === 'moved') break;
    }
    return { claim_id, refusal: orderInUse(order.id) };
  }

  private async tryToHold(claim: NewOrderClaim): Promise<'held' | 'moved' | 'collided'> {
    try {
      return (await this.table.insert(claim)) ? 'held' : 'moved';
    } catch (error) {
      // After a fault the claim may yet be made: the coordinator takes another id, which replaces this one.
      if (classifyDatabaseError(error).kind !== 'unique') throw error;
      return 'collided';
    }
  }

  /** What the first request of this claim was answered, if there was one. */
  private async asAnsweredFirst(
    context: RequestContext,
    { redemption_id, claim_id }: ClaimOrder,
  ): Promise<ClaimedOrder | null> {
    const [own] = await this.table.find([{ redemption_id, claim_id }]);
    if (!own) return null;
    if (own.state === 'REVERTED') return { claim_id, refusal: claimAbandoned(claim_id) };
    const order = own.draft ?? (await this.reader.loadMany(context, [own.order_id]))[0];
    if (!order) throw new Error(`claim ${claim_id} is ${own.state}, but its order does not exist`);
    return { claim_id, order };
  }
}
