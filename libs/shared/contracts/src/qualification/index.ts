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
export type {
  RuleAssignmentSnapshot,
  RuleDefinition,
  RuledObjectType,
  ValidationRuleAssigned,
  ValidationRuleCreated,
  ValidationRuleDeleted,
  ValidationRuleEvent,
  ValidationRuleSnapshot,
  ValidationRuleUnassigned,
  ValidationRuleUpdated,
} from './rule.events';
export { deleteUnlessNamed, namedPerNote, namingRulesShown } from './named-deletion';
export {
  type AssignmentsOfObject,
  assignmentsPerAnswer,
  assignmentsShown,
  type CampaignValidations,
  type LoadedRules,
  type MadeRule,
  type NamedByRules,
  type NamedObject,
  type QualificationPort,
  qualificationPort,
  ruleBytesLoaded,
  rulesLoaded,
  type ValidationsWanted,
  type WantedAssignment,
} from './qualification.port';
export {
  type RuledObject,
  ruledObjectsMethods,
  ruledObjectsPerCall,
  type RuledObjectsPort,
} from './ruled-objects.port';
