/** What a rule measures, which decides the operators and operands that it takes: `number` also as numeric text,
 *  `text`, `ids` (list of texts), `flag`, `metadata` (text, number, boolean, date, or a list of them; `numberMetadata`
 *  and `timeMetadata`: as the metadata schema says), `products` (lines of the order, against product entries). */
export type ValueKind =
  'number' | 'text' | 'ids' | 'flag' | 'metadata' | 'numberMetadata' | 'timeMetadata' | 'products';

const isMetadata = (kind: ValueKind): boolean => kind === 'numberMetadata' || kind === 'timeMetadata';

/** When a condition is evaluated; `timezone` is the project's, as IANA names it. */
export interface Moment {
  readonly now: Date;
  readonly timezone: string;
}

/** Whether `value` satisfies one operator. Takes any value, lists and absent ones included, and never throws. */
export type Test = (value: unknown, at: Moment) => boolean;

/** What an operator requires of each operand. `read` gives it in the form to compare with, undefined when it is
 *  something else; `takes` says in the plural what it accepts. */
export interface OperandForm<Operand> {
  readonly takes: string;
  read(operand: unknown): Operand | undefined;
}

/** An operator as data: what it takes for which kinds, and how it is tested. */
export interface Operator {
  readonly name: string;
  readonly operandsMax: number;
  /** The test against `operands`, or what is wrong with them, as the end of a sentence. */
  prepare(operands: readonly unknown[], kind: ValueKind): Test | string;
}

export type OperandForms<Operand> = Partial<Record<ValueKind, OperandForm<Operand>>>;

/** Each is tried at each evaluation; who needs more puts customers in a segment or products in a collection. */
const operandsMax = 1_000;

/** Operands in use are shorter, and searching a text for another may take the product of their lengths. */
const longestOperand = 2_000;

export const defineOperator = <Operand>(
  name: string,
  forms: OperandForms<Operand>,
  compile: (operands: readonly Operand[], kind: ValueKind) => Test,
): Operator => ({
  name,
  operandsMax,
  prepare(operands, kind) {
    // Most operators take a property of a known type as any other.
    const form = forms[kind] ?? (isMetadata(kind) ? forms.metadata : undefined);
    if (!form) return 'cannot be used there';
    const read: Operand[] = [];
    for (const operand of operands) {
      if (typeof operand === 'string' && operand.length > longestOperand) {
        return `must not have operands of more than ${longestOperand} characters`;
      }
      const known = form.read(operand);
      if (known === undefined) return `takes only ${form.takes}`;
      read.push(known);
    }
    return compile(read, kind);
  },
});

/** Satisfied by a list of which any element satisfies `test`. */
export const anyElement =
  (test: Test): Test =>
  (value, at) => {
    if (!Array.isArray(value)) return test(value, at);
    for (const element of value) if (test(element, at)) return true;
    return false;
  };

/** Satisfied when one of `tests` is. */
export const anyOf = (tests: readonly Test[]): Test => {
  const [only] = tests;
  if (only && tests.length === 1) return only;
  return (value, at) => {
    for (const test of tests) if (test(value, at)) return true;
    return false;
  };
};

/** Whatever satisfies `test` fails, and all else holds: absent values, and lists without a match, too. */
export const none =
  (test: Test): Test =>
  (value, at) =>
    !test(value, at);
