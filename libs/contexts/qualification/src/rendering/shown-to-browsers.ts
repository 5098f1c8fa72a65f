import type { OrderSnapshot } from '@scrip/contracts/customers';
import type { RedemptionSnapshot } from '@scrip/contracts/qualification';
import { voucherForBrowsers } from '@scrip/wire/campaigns';
import { isFromBrowser, type RequestContext } from '@scrip/kernel';

const withoutCustomer = (redemption: RedemptionSnapshot): RedemptionSnapshot => ({
  ...redemption,
  customer_id: null,
  tracking_id: null,
  order: redemption.order && orderWithoutCustomer(redemption.order),
  voucher: redemption.voucher && voucherForBrowsers(redemption.voucher),
  ...(redemption.promotion_tier ? { promotion_tier: { ...redemption.promotion_tier, metadata: {} } } : {}),
});

/** An order that names neither its customer nor who referred him. */
export const orderWithoutCustomer = <Order extends Pick<OrderSnapshot, 'customer_id' | 'referrer_id'>>(
  order: Order,
): Order => ({ ...order, customer_id: null, referrer_id: null });

/** A redemption as the caller may see it. A browser learns nothing of a customer: no ids, no attributes, no tracking
 *  id, which would prove the identity in its next call; and nothing of what the shop notes of a voucher or a tier. Source:
 *  ADR 45, ADR 124. */
export const visibleTo = (
  context: Pick<RequestContext, 'channel'>,
  redemption: RedemptionSnapshot,
): RedemptionSnapshot => (isFromBrowser(context) ? withoutCustomer(redemption) : redemption);
