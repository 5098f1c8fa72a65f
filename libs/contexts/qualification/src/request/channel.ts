import type { RedemptionChannel } from '@scrip/contracts/qualification';
import type { RequestContext } from '@scrip/kernel';

/** The user or key that a request comes from. Source: reference 03 §7. */
export const channelOf = ({ user, apiKey }: RequestContext): RedemptionChannel =>
  user
    ? { channel_type: 'USER', channel_id: user.id }
    : { channel_type: 'API', channel_id: apiKey?.id ?? '' };
