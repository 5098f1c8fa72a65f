import type { RedemptionSnapshot } from '@scrip/contracts/qualification';
import type { Because, RedeemableTrace } from '@scrip/order-preview';
import { skipMessages } from '@scrip/order-calculation';
import type { OrderResponse } from '@scrip/wire/customers';
import type { EvaluatedRedeemable } from '../evaluation/evaluate';
import { renderRefusal } from '../rendering/rendered-redeemable';

/** One rule on the way to the verdict: what it expected, what it found, and of a limit how it counts and what it had counted
 *  before this request. */
export interface ExplainedRule {
  validation_rule_id: string;
  /** The place in the rule, `1` or `2.rules.1`; `bundle_rules` for its bundle. */
  path: string;
  name: string;
  property: string | null;
  operator: string | null;
  expected: readonly unknown[];
  actual: unknown;
  verdict: 'HOLDS' | 'FAILS' | 'OMITTED';
  limit?: {
    of: 'campaign' | 'incentive';
    counted_by: 'all' | 'customer' | 'api_key' | 'user';
    measure: string;
    period: 'daily' | 'weekly' | 'monthly' | null;
    counted: number;
  };
}

/** What became of one redeemable, and why. Amounts: minor units. */
export interface ExplainedRedeemable {
  object: 'voucher' | 'promotion_tier';
  id: string;
  status: 'APPLICABLE' | 'INAPPLICABLE' | 'SKIPPED';
  /** Why it does not apply; absent where it does. */
  because?: { key: string; message: string; details?: string };
  /** Empty where something decided before its rules. */
  rules: ExplainedRule[];
  /** What it made of the order, in the order in which it was done. */
  steps: readonly object[];
}

/** Answer of POST /v1/explanations. */
export type Explanation = ExplanationResponse | FailureExplanationResponse;

/** About a request. Source: reference 03 §5.5. */
export interface ExplanationResponse {
  object: 'explanation';
  /** The instant for which it was evaluated. */
  at: string;
  valid: boolean;
  redeemables: ExplainedRedeemable[];
  /** The order as a redemption would leave it; absent where none would. */
  order?: OrderResponse;
}

/** Answer of POST /v1/explanations about a failed redemption: what was kept of it, which is nothing that tells of a person. */
export interface FailureExplanationResponse {
  object: 'explanation';
  at: string;
  valid: false;
  redemption: {
    id: string;
    failure_code: string | null;
    failure_message: string | null;
    related_object_type: string;
    related_object_id: string;
  };
  /** Null for those that a release before recorded. */
  because: Because | null;
}

const explainedRule = ({
  ruleId,
  path,
  name,
  property,
  operator,
  expected,
  actual,
  verdict,
  limit,
}: RedeemableTrace['rules'][number]): ExplainedRule => ({
  validation_rule_id: ruleId,
  path,
  name,
  property,
  operator,
  expected,
  actual: actual ?? null,
  verdict,
  ...(limit
    ? {
        limit: {
          of: limit.of,
          counted_by: limit.countedBy,
          measure: limit.measure,
          period: limit.period,
          counted: limit.counted,
        },
      }
    : {}),
});

const becauseOf = (
  calculated: EvaluatedRedeemable['calculated'],
  requestId: string,
): Pick<ExplainedRedeemable, 'because'> => {
  switch (calculated.status) {
    case 'APPLICABLE':
      return {};
    case 'SKIPPED':
      return { because: { key: calculated.reason, message: skipMessages[calculated.reason] } };
    case 'INAPPLICABLE': {
      const { error } = renderRefusal(calculated.refusal, requestId);
      const { key, message, details } = error;
      return { because: { key, message, ...(details === undefined ? {} : { details }) } };
    }
  }
};

/** Shows the trace of a redeemable with its outcome. */
export const renderExplained = (
  { object, id, status, rules, steps }: RedeemableTrace,
  calculated: EvaluatedRedeemable['calculated'],
  requestId: string,
): ExplainedRedeemable => ({
  object,
  id,
  status,
  ...becauseOf(calculated, requestId),
  rules: rules.map(explainedRule),
  steps,
});

/** Shows what was kept of a failed redemption. */
export const renderFailureExplanation = (failed: RedemptionSnapshot): FailureExplanationResponse => ({
  object: 'explanation',
  at: failed.date,
  valid: false,
  redemption: {
    id: failed.id,
    failure_code: failed.failure_code ?? null,
    failure_message: failed.failure_message ?? null,
    related_object_type: failed.related_object_type,
    related_object_id: failed.related_object_id,
  },
  because: failed.because ?? null,
});
