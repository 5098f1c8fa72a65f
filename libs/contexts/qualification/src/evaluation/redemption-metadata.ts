import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import { type MetadataRefusal, orderMetadataRefusal } from '@scrip/metadata-schemas';
import type { RedeemablesRequest } from '../request/redeemables-request';
import { overwrites, type RequestOrder } from './request-order';

/** Holds the metadata of requests, and what a redemption would store, against the project's metadata schemas; the customer is
 *  checked by its owner. Source: reference 03 §3.4, reference 07 §8. */
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
    const checks = await this.schemas.orderChecksOf(context);
    return orderMetadataRefusal(checks, { stored: stored ? stored.order.metadata : null, sent });
  }
}
