import type { OrderResponse } from '@scrip/wire/customers';
import type { Session } from '../session/session';
import type { renderRedeemable } from '../rendering/rendered-redeemable';
import type { renderStackingRules } from '../rendering/stacking-rules';

/** One redeemable of a validation, or one that a redemption left out. */
export type RedeemableResponse = ReturnType<typeof renderRedeemable>;

/** Answer of a validation. Source: reference 03 §5. */
export interface ValidationResponse {
  id: string;
  /** Whether at least one redeemable applies and all together may be redeemed. */
  valid: boolean;
  /** Of a valid request those that apply, else all. */
  redeemables: RedeemableResponse[];
  skipped_redeemables?: RedeemableResponse[];
  inapplicable_redeemables?: RedeemableResponse[];
  /** The order as a redemption would leave it. */
  order?: OrderResponse;
  /** Recognises the customer in later calls, and proves who it is: browsers are not told. */
  tracking_id?: string;
  /** What was established, with what was not sent. */
  session?: Session;
  stacking_rules: ReturnType<typeof renderStackingRules>;
}
