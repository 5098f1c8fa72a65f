export type {
  RedemptionChannel,
  RedemptionClaims,
  RedemptionCounts,
  RedemptionFact,
  RedemptionSnapshot,
  RollbackOrderMode,
} from './redemption.snapshot';
export { countsOfOlder, currentClaims, redemptionUpcasters } from './redemption.upcasters';
export type {
  RedemptionEvent,
  RedemptionFailed,
  RedemptionRollbackFailed,
  RedemptionRollbackStarted,
  RedemptionRolledBack,
  RedemptionSucceeded,
} from './redemption.events';
export { type QualificationPort, qualificationPort } from './qualification.port';
