import { isIn, keyOfKind, metadataOperands, texts } from './equality';
import {
  type OperandForm,
  type Operator,
  type Test,
  type ValueKind,
  anyOf,
  defineOperator,
  none,
} from './operator';

/** Whole numbers from 0, as counts and distances are. */
export const wholeNumbers: OperandForm<number> = {
  takes: 'whole numbers from 0',
  read: (operand) =>
    typeof operand === 'number' && Number.isSafeInteger(operand) && operand >= 0 ? operand : undefined,
};

/** A single value is a list of one, an absent one a list of none. */
const elementsOf = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  return value == null ? [] : [value];
};

const counting = (name: string, holds: (count: number, operand: number) => boolean): Operator =>
  defineOperator(name, { ids: wholeNumbers, metadata: wholeNumbers }, (operands) =>
    anyOf(operands.map((operand) => (value) => holds(elementsOf(value).length, operand))),
  );

const equalsAsSet = (keys: readonly (string | number)[], kind: ValueKind): Test => {
  const keyOf = keyOfKind(kind);
  const wanted = new Set<string | number | undefined>(keys);
  return (value) => {
    if (value == null) return false;
    const seen = new Set<string | number | undefined>();
    for (const element of elementsOf(value)) {
      const key = keyOf(element);
      if (!wanted.has(key)) return false;
      seen.add(key);
    }
    return seen.size === wanted.size;
  };
};

export const lists: readonly Operator[] = [
  counting('$count', (count, operand) => count === operand),
  counting('$count_more', (count, operand) => count > operand),
  counting('$count_less', (count, operand) => count < operand),
  defineOperator('$not_differ', { ids: texts, ...metadataOperands }, equalsAsSet),
  defineOperator('$not_intersect', { ids: texts, ...metadataOperands }, (keys, kind) =>
    none(isIn(keys, kind)),
  ),
];
