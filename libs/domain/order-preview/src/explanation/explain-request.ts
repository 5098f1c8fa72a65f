import type { CalculatedRedeemable } from '@scrip/order-calculation';
import { type ConditionTrace, type RuleMode, traceRules } from '@scrip/rules';
import { type Calculation, evaluateWith } from '../evaluation/evaluate-request';
import { RuleChecks } from '../evaluation/rule-checks';
import {
  type Candidate,
  type EvaluationRequest,
  candidatesIn,
  redeemableKey,
} from '../request/evaluation-request';
import { type CounterRule, counterRuleOf } from '../touched/limit-counter';
import { type CalculationStep, calculationSteps, totalOf } from './calculation-steps';

/** A limit as a rule read it. `counted`: before what is judged, earlier redeemables of the request included. */
export interface LimitTrace extends CounterRule {
  readonly counted: number;
}

/** One rule on the way to the verdict; `limit` for limits and budgets. */
export type RuleTrace = Omit<ConditionTrace, 'isCounted'> & { readonly limit: LimitTrace | null };

/** Why a redeemable ended as it did. `reason`: the key of its refusal or of its being skipped; null: it applied.
 *  `rules`: empty where something before them decided. Has values of the customer and the order: for the project's own
 *  eyes, not for logs (see `becauseOf`). Source: reference 02 §4, reference 03 §4.2. */
export interface RedeemableTrace {
  readonly object: CalculatedRedeemable['object'];
  readonly id: string;
  readonly status: CalculatedRedeemable['status'];
  readonly reason: string | null;
  readonly rules: readonly RuleTrace[];
  readonly steps: readonly CalculationStep[];
}

/** A calculation with an explanation of each redeemable, in processing order. */
export interface ExplainedCalculation {
  readonly calculation: Calculation;
  readonly traces: readonly RedeemableTrace[];
}

const reasonOf = (outcome: CalculatedRedeemable): string | null => {
  if (outcome.status === 'INAPPLICABLE') return outcome.refusal.refused;
  return outcome.status === 'SKIPPED' ? outcome.reason : null;
};

/** The rules as they were judged last, by candidate. They are explained at once: limits go on counting. */
class JudgedRules {
  private readonly byCandidate = new Map<Candidate, readonly RuleTrace[]>();

  constructor(private readonly mode: RuleMode) {}

  readonly note = (candidate: Candidate, context: Parameters<typeof traceRules>[1]): void => {
    const traces = traceRules(candidate.rules, context, this.mode).map(({ isCounted, ...trace }) => ({
      ...trace,
      limit: isCounted ? { ...counterRuleOf(trace.name), counted: context.counted(trace.name) } : null,
    }));
    this.byCandidate.set(candidate, traces);
  };

  of(candidate: Candidate | undefined): readonly RuleTrace[] {
    return (candidate && this.byCandidate.get(candidate)) ?? [];
  }
}

/** Evaluates a request as `evaluateRequest` does, and explains it: each rule with operator, expected and actual value,
 *  each limit with what it had counted, each step of the calculation. Pure. Source: reference 01 §1, reference 02 §4. */
export const explainRequest = (request: EvaluationRequest, mode: RuleMode = 'FULL'): ExplainedCalculation => {
  const judged = new JudgedRules(mode);
  const calculation = evaluateWith(new RuleChecks(request, mode, judged.note), request, mode);
  const candidates = new Map(
    candidatesIn(request.requested).map((one) => [redeemableKey(one.redeemable), one]),
  );
  let total = totalOf(request.order);
  const traces = calculation.redeemables.map((outcome): RedeemableTrace => {
    const { object, id, status } = outcome;
    const before = total;
    if (outcome.status === 'APPLICABLE') total = outcome.order?.total_amount ?? null;
    return {
      object,
      id,
      status,
      reason: reasonOf(outcome),
      rules: judged.of(candidates.get(redeemableKey(outcome))),
      steps: outcome.status === 'APPLICABLE' ? calculationSteps(outcome, before) : [],
    };
  });
  return { calculation, traces };
};
