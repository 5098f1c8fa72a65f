import { numericKey } from './numeric';
import {
  type OperandForm,
  type OperandForms,
  type Operator,
  type Test,
  type ValueKind,
  anyElement,
  defineOperator,
  none,
} from './operator';
import { stringOf, textOf } from './scalar';
import { writtenTimeOf } from './written-time';

/** Equal values have equal keys. */
type Key = string | number;
type KeyOf = (value: unknown) => Key | undefined;

const keyOfBoolean: KeyOf = (value) => (typeof value === 'boolean' ? textOf(value) : undefined);

/** Instants are equal however they are written; a day equals itself only. */
const timeKey: KeyOf = (value) => {
  const time = writtenTimeOf(value);
  return time && `${time.isDay ? 'day' : 'instant'} ${time.utcMs}`;
};

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the entries say is checked where lines are matched; here they are only told from other types. */
const productEntries: OperandForm<Key> = {
  takes: 'objects with id and object',
  read: (operand) => (isObject(operand) ? '' : undefined),
};

const scalars: OperandForm<Key> = { takes: 'texts, numbers and booleans', read: textOf };
/** What equal values of a kind have in common. A value that is not of its type is compared as text. */
export const keyOfKind = (kind: ValueKind): KeyOf => {
  switch (kind) {
    case 'number':
      return numericKey;
    case 'numberMetadata':
      return (value) => numericKey(value) ?? textOf(value);
    case 'timeMetadata':
      return (value) => timeKey(value) ?? textOf(value);
    default:
      return textOf;
  }
};

/** Operands about metadata, by the type of the property. */
export const metadataOperands: OperandForms<Key> = {
  metadata: scalars,
  numberMetadata: { takes: scalars.takes, read: keyOfKind('numberMetadata') },
  timeMetadata: { takes: scalars.takes, read: keyOfKind('timeMetadata') },
};

export const texts: OperandForm<string> = { takes: 'texts', read: stringOf };

const operands: OperandForms<Key> = {
  number: { takes: 'numbers', read: numericKey },
  text: texts,
  ids: texts,
  flag: { takes: 'booleans', read: keyOfBoolean },
  ...metadataOperands,
  products: productEntries,
};

/** Whether the value, or any element of a list, is one of `keys`. */
export const isIn = (keys: readonly Key[], kind: ValueKind): Test => {
  const keyOf = keyOfKind(kind);
  if (keys.length === 1) {
    const [only] = keys;
    return anyElement((value) => keyOf(value) === only);
  }
  const known = new Set<Key | undefined>(keys);
  return anyElement((value) => known.has(keyOf(value)));
};

const isNotIn = (keys: readonly Key[], kind: ValueKind): Test => none(isIn(keys, kind));

export const equality: readonly Operator[] = [
  defineOperator('$is', operands, isIn),
  defineOperator('$is_not', operands, isNotIn),
  defineOperator('$in', operands, isIn),
  defineOperator('$not_in', operands, isNotIn),
];

/** Belongs to the rules about lines, which know collections; nothing else has any. */
export const collections: readonly Operator[] = [
  defineOperator('$from', { products: productEntries }, () => () => false),
];
