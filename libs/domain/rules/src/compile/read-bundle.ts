import { beginningOf } from '@scrip/kernel/pure';
import type { BundleRules } from '../scope/bundle-rules';
import type { ConditionProblem } from '../conditions/conditions';
import { readItemReference } from '../lines/product-matching';
import { parseLogic } from '../logic/logic';
import { rulesMax } from './compile-group';
import { byNumber, isRuleKey } from './rule-key';
import { type Fields, fieldsOf, isIntegerFrom } from './fields';

type BundleComponent = BundleRules['components'][number];

const bundleLimitMax = 100;
const bundleFields: ReadonlySet<string> = new Set(['limit', 'logic', 'scaling', 'error']);

/** The only operand of the only operator `$is`. */
const onlyOperand = (conditions: unknown): unknown => {
  const fields = fieldsOf(conditions) ?? {};
  const operands = fields.$is;
  return Object.keys(fields).length === 1 && Array.isArray(operands) && operands.length === 1
    ? operands[0]
    : undefined;
};

/** The units that a component needs; absent sub-rules mean one. */
const quantityIn = (rules: unknown): number | undefined => {
  if (rules == null) return 1;
  const fields = fieldsOf(rules);
  if (!fields) return undefined;
  const keys = Object.keys(fields).filter((key) => key !== 'logic');
  if (keys.length === 0) return 1;
  const rule = fieldsOf(fields['1']);
  const quantity = onlyOperand(rule?.conditions);
  const isOnly = keys.length === 1 && rule?.name === 'order.items.aggregated_quantity';
  const logic = fields.logic ?? '';
  return isOnly && (logic === '' || logic === '1') && isIntegerFrom(1, quantity) ? quantity : undefined;
};

const readComponent = (key: string, sent: unknown): BundleComponent | ConditionProblem => {
  const problem = (must: string): ConditionProblem => ({ problem: `Bundle rule '${key}' must ${must}` });
  const fields = fieldsOf(sent);
  if (fields?.name !== 'order.items.any') return problem("be 'order.items.any'");
  const operand = onlyOperand(fields.conditions);
  const item = readItemReference(operand);
  if (item?.id === undefined) return problem("have one operand '$is' with 'id', 'type' and 'object'");
  const type = item.object === 'products_collection' ? 'products_collection' : 'product_or_sku';
  if (fieldsOf(operand)?.type !== type) return problem(`have an operand of type '${type}'`);
  const quantity = quantityIn(fields.rules);
  if (quantity === undefined) {
    return problem("have one sub-rule 'order.items.aggregated_quantity' with an integer from 1");
  }
  return { ...item, quantity };
};

const logicProblem = ({ logic = '' }: Fields, keys: readonly string[]): ConditionProblem | null => {
  if (logic !== null && typeof logic !== 'string') return { problem: 'Bundle logic must be a string' };
  const parsed = parseLogic(logic ?? '', keys);
  if (typeof parsed !== 'object' || parsed === null) return null;
  if ('problem' in parsed) return { problem: `Bundle: ${parsed.problem}` };
  const isConjunction = parsed.join === 'and' && parsed.parts.every((part) => typeof part === 'string');
  return isConjunction ? null : { problem: 'Bundle logic must join its rules by AND' };
};

/** The bundle that a rule object requires, null where it requires none. Source: reference 02 §1.4, reference 01 §9. */
export const readBundle = (sent: unknown): BundleRules | null | ConditionProblem => {
  if (sent == null) return null;
  const fields = fieldsOf(sent);
  if (!fields) return { problem: 'Bundle must be an object' };
  const keys = Object.keys(fields).filter((key) => !bundleFields.has(key));
  const wrong = keys.find((key) => !isRuleKey(key));
  if (wrong !== undefined)
    return { problem: `Bundle rule key '${beginningOf(wrong, 100)}' must be a number from 1` };
  if (keys.length > rulesMax) return { problem: `There must not be more than ${rulesMax} bundle rules` };
  const limit = fields.limit ?? 1;
  if (!isIntegerFrom(1, limit) || limit > bundleLimitMax) {
    return { problem: `Bundle limit must be an integer from 1 to ${bundleLimitMax}` };
  }
  const scaling = fields.scaling ?? 'MULTIPLY';
  if (scaling !== 'MULTIPLY' && scaling !== 'ONCE') {
    return { problem: 'Bundle scaling must be one of MULTIPLY, ONCE' };
  }
  keys.sort(byNumber);
  const components: BundleComponent[] = [];
  for (const key of keys) {
    const component = readComponent(key, fields[key]);
    if ('problem' in component) return component;
    components.push(component);
  }
  const problem = logicProblem(fields, keys);
  if (problem) return problem;
  return components.length === 0 ? null : { components, limit, scaling };
};
