export type { ClaimEffect, Contention, HeldBy, RefundEnd, Taken } from './claim-effect';
export { type ClaimRules, refundClaim, revertClaim, takeReplacing } from './claim-rules';
export {
  type ClaimMove,
  type ClaimRow,
  type ClaimState,
  claimAbandoned,
  type NewClaim,
  type ObjectClaim,
  type ProvisionalClaim,
} from './claim-state';
export { ClaimTable, claimTableSql, type LostClaim } from './claim.table';
export { ClaimsOwner } from './claims-owner';
export { type Patience, defaultPatience } from './patience';
export { SettlementLoop } from './settlement-loop';
export { StreamEffect } from './stream-effect';
