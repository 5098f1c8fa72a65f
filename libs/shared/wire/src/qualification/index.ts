export {
  noAssignments,
  renderAssignment,
  renderAssignments,
  type RuleAssignmentResponse,
  type RuleAssignmentsResponse,
} from './assignment.wire';
export { renderRule, type ValidationRuleResponse } from './rule.wire';
export { simpleRedemption } from './simple-redemption';
export { shownTrackingId, type TrackingIds, trackingIds, trackingIdsPurpose } from './tracking-ids';
