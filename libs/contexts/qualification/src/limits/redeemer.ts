import type { RedemptionChannel } from '@scrip/contracts/qualification';
import type { RequestContext } from '@scrip/kernel';
import type { CountedCaller } from '@scrip/order-preview';
import { channelOf } from '../request/channel';

/** Who redeems, by the names that redemptions keep; a customer who is not stored has been counted for nothing. */
export interface Redeemer {
  customer_id: string | null;
  channel: RedemptionChannel;
}

/** The redeemer that a request speaks for. `customer`: its id is empty where the customer is not stored. */
export const redeemerOf = (context: RequestContext, customer: { id: string } | null): Redeemer => ({
  customer_id: customer?.id || null,
  channel: channelOf(context),
});

/** The same by the names that counters use. */
export const callerOf = ({ customer_id, channel }: Redeemer): CountedCaller => ({
  customerId: customer_id,
  apiKeyId: channel.channel_type === 'API' ? channel.channel_id : null,
  userId: channel.channel_type === 'USER' ? channel.channel_id : null,
});
