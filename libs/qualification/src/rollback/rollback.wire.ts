import type { OrderResponse, RedemptionEntryResponse } from '@scrip/contracts';

/** Answer of the rollback of a stack. Source: spec 03 §9. */
export interface RollbacksResponse {
  /** One per child, in the order of their application. */
  rollbacks: RedemptionEntryResponse[];
  /** Absent where the redemption was a single one. */
  parent_rollback?: RedemptionEntryResponse;
  order?: OrderResponse;
}
