export {
  type Candidate,
  type CandidateStack,
  type EvaluationRequest,
  candidatesIn,
  redeemableKey,
} from './request/evaluation-request';
export { type Calculation, evaluateRequest } from './evaluation/evaluate-request';
export { budgetsAllow, judgeAgain } from './evaluation/judge-again';
export { type CountedVerdict, violationsOf } from './evaluation/rule-checks';
export {
  type Counted,
  type CountedBy,
  type CountedCaller,
  type CountedMoment,
  type CounterKey,
  type CounterRule,
  type TouchedCounter,
  counterName,
  counterRuleOf,
  countedCampaign,
  countedIncentive,
  subjectOf,
} from './touched/limit-counter';
export {
  type Touched,
  countedFrom,
  touchedBudgetName,
  touchedBy,
  unitsUsedFrom,
} from './touched/touched-by-request';
export { type RequestDemands, requestDemands } from './demands/request-demands';
export { refusalAnswer } from './answers/refusal-answer';
export {
  type QualificationRequest,
  type Qualified,
  type QualifyingCandidate,
  qualify,
  qualifyStack,
} from './qualification/qualify';
export { type Judgement, type Scenario, scenarios } from './qualification/scenario';
export { type CandidateTerms, type TermSpace, candidateTerms } from './terms/candidate-terms';
export { requestTerms } from './terms/request-terms';
export type { CalculationStep } from './explanation/calculation-steps';
export { type RedeemableTrace, explainRequest } from './explanation/explain-request';
export { type Because, becauseOf } from './explanation/because';
