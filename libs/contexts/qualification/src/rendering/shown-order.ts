import { isFromBrowser, type RequestContext } from '@scrip/kernel';
import type { CalculatedOrder } from '@scrip/order-calculation';
import type { Prepared } from '../evaluation/preparation';
import type { ShowOrder } from './rendered-redeemable';
import { orderWithoutCustomer } from './shown-to-browsers';

/** How the order of this request is shown: a stored one with what it is known by, another one as it was sent. */
export const shownOrder =
  ({ order, customer }: Pick<Prepared, 'order' | 'customer'>, context: RequestContext): ShowOrder =>
  (calculated: CalculatedOrder) => {
    const stored = order?.stored?.order;
    const shown = {
      ...(stored ? { id: stored.id, status: stored.status, created_at: stored.created_at } : {}),
      ...(stored ? { updated_at: stored.updated_at, source_id: stored.source_id } : {}),
      ...(!stored && order?.sent.source_id !== undefined ? { source_id: order.sent.source_id } : {}),
      ...calculated,
      metadata: { ...stored?.metadata, ...order?.sent.metadata },
      customer_id: stored?.customer_id ?? (customer?.id || null),
      referrer_id: stored?.referrer_id ?? null,
    };
    return isFromBrowser(context) ? orderWithoutCustomer(shown) : shown;
  };
