import type { OrderResponse } from '@scrip/wire/customers';
import type { RedeemableResponse } from '../validation/validation.wire';
import type { RedemptionEntryResponse } from './redemption-entry.wire';

/** Answer of a redemption. Source: reference 03 §6.2. */
export interface RedemptionsResponse {
  /** One per redeemable that was applied, in the order of application. */
  redemptions: RedemptionEntryResponse[];
  /** Of a stack. */
  parent_redemption?: RedemptionEntryResponse;
  /** The stored order. */
  order?: OrderResponse;
  inapplicable_redeemables: RedeemableResponse[];
  skipped_redeemables: RedeemableResponse[];
}
