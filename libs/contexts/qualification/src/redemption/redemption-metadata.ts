import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@scrip/kernel';
import { type MetadataRefusal, MetadataSchemas } from '@scrip/metadata';
import type { RedeemablesRequest } from '../request/redeemables-request';
import { overwrites, type RequestOrder } from '../validation/request-order';

/** Holds what a redemption would store against the project's metadata schemas; the customer is checked by its owner.
 *  Source: reference 03 §3.4, reference 07 §8. */
@Injectable()
export class RedemptionMetadata {
  constructor(private readonly schemas: MetadataSchemas) {}

  /** The metadata of the redemption itself: required keys must be there, sent or not. */
  async refusalOf(
    context: RequestContext,
    { metadata }: Pick<RedeemablesRequest, 'metadata'>,
  ): Promise<MetadataRefusal | null> {
    const check = await this.schemas.checkOf(context, 'redemption');
    return check(metadata ?? {});
  }

  /** Metadata of an order that is created, or of what is sent for a stored one; then of its items. */
  async refusalOfOrder(context: RequestContext, order: RequestOrder | null): Promise<MetadataRefusal | null> {
    if (!order || !overwrites(order)) return null;
    const { sent, stored } = order;
    const [checkOrder, checkItem] = await Promise.all([
      this.schemas.checkOf(context, 'order'),
      this.schemas.checkOf(context, 'order_item'),
    ]);
    const misfit =
      stored && !sent.metadata
        ? null
        : checkOrder({ ...stored?.order.metadata, ...sent.metadata }, sent.metadata ?? {});
    if (misfit) return misfit;
    for (const { metadata } of sent.items ?? []) {
      const refusal = checkItem(metadata ?? {});
      if (refusal) return refusal;
    }
    return null;
  }
}
