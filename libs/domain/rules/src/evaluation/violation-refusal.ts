import { type Refusal, refuse } from '@scrip/kernel/pure';
import type { RuleRefusalKey } from '@scrip/order-calculation';
import type { RuleGroup } from '../catalogue/rule-entry';
import type { ViolatedRule } from './violations';

/** What incentives are called in details. Source: reference 02 §4.4. */
export type IncentiveLabel =
  'Discount Coupon' | 'Gift Card' | 'Loyalty Card' | 'Referral Code' | 'Promotion Tier';

/** How violations are told. Source: reference 02 §4.4. */
export interface RuleWording {
  readonly label: IncentiveLabel;
  /** The project's own texts by error key, for rules that have none. */
  readonly messages?: Readonly<Record<string, string>>;
}

const groups: readonly RuleGroup[] = ['customer', 'order', 'redemption'];

const missingCustomer = () => refuse('missing_customer', 'Customer is required to validate rules');

/** The error of violated rules (at least one): of the first group that is present, with the text of its first rule in
 *  `customMessage` where any is configured; `missing_customer` has none. Source: reference 02 §4.4. */
export const violationRefusal = (
  violated: readonly ViolatedRule[],
  { label, messages }: RuleWording,
): Refusal<RuleRefusalKey> => {
  if (violated.some(({ lacksCustomer }) => lacksCustomer)) return missingCustomer();
  const group = groups.find((candidate) => violated.some((rule) => rule.group === candidate))!;
  const first = violated.find((rule) => rule.group === group)!;
  const key = `${group}_rules_violated` as const;
  const customMessage = first.message ?? messages?.[key];
  const ids = [...new Set(violated.map(({ ruleId }) => ruleId))].join(', ');
  return refuse(key, `${label} cannot be redeemed because of violated validation rules: ${ids}`, {
    ...(customMessage !== undefined && { customMessage }),
  });
};
