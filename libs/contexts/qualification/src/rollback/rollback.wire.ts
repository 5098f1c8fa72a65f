import type { RedemptionEntryResponse } from '../redemption/redemption-entry.wire';
import type { OrderResponse } from '@scrip/wire/customers';

/** Answer of the rollback of a stack. Source: reference 03 §9. */
export interface RollbacksResponse {
  /** One per child, in the order of their application. */
  rollbacks: RedemptionEntryResponse[];
  /** Absent where the redemption was a single one. */
  parent_rollback?: RedemptionEntryResponse;
  order?: OrderResponse;
}
