import type { CompiledGroup, CompiledLeaf } from '../compile/compile-group';
import type { CompiledRule } from '../compile/compile-rule';
import { numericOf } from '../conditions/numeric';
import { type RuleMode, modeBits } from '../evaluation/rule-mode';
import type { Logic } from '../logic/logic';

/** Operators that no value below their smallest operand satisfies. */
const boundingOperators: ReadonlySet<string> = new Set([
  '$is',
  '$in',
  '$more_than',
  '$more_than_or_equal',
  '$greater_than',
  '$greater_than_or_equal',
]);

const smallestOf = (operands: readonly unknown[]): number => {
  const numbers = operands.map(numericOf);
  return numbers.some((number) => number === undefined) ? 0 : Math.min(...numbers.map(Number));
};

const ownBound = ({ entry, conditions }: CompiledLeaf): number =>
  entry.name === 'order.initial_amount'
    ? Math.max(
        0,
        ...Object.entries(conditions).map(([operator, operands]) =>
          boundingOperators.has(operator) ? smallestOf(operands as readonly unknown[]) : 0,
        ),
      )
    : 0;

const leafBound = (leaf: CompiledLeaf, mode: number): number =>
  (leaf.modes & mode) === 0
    ? 0
    : Math.max(ownBound(leaf), leaf.group === null ? 0 : groupBound(leaf.group, mode));

const groupBound = ({ leaves, logic }: CompiledGroup, mode: number): number => {
  const boundOf = (part: Logic): number => {
    if (typeof part === 'string')
      return leafBound(
        leaves.find(({ key }) => key === part)!,
        mode,
      );
    const bounds = part.parts.map(boundOf);
    return part.join === 'and' ? Math.max(...bounds) : Math.min(...bounds);
  };
  return logic === null ? 0 : boundOf(logic);
};

/** The initial amount that an order must have at least for the rule to hold in `mode`, minor units; 0: none is demanded. Never
 *  demands more than the rule does. Source: reference 02 §10. */
export const leastInitialAmount = ({ root }: CompiledRule, mode: RuleMode): number =>
  groupBound(root, modeBits[mode]);
