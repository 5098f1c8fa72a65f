import { getMetadataStorage, type ValidationError } from 'class-validator';
import { Violation, WholeViolation } from './violation';

const verbs = new WeakMap<object, 'must' | 'should'>();

/** Class decorator: the verb of a body's messages where its chapter of the specification says `should`
 *  ("Payload should have required property 'name'"). Default `must`. Source: reference 07 §1.3. */
export const Wording =
  (verb: 'must' | 'should'): ClassDecorator =>
  (dto) => {
    verbs.set(dto, verb);
  };

type Text = (args: readonly unknown[]) => string;

const inList = (args: readonly unknown[]): string => {
  const allowed = Array.isArray(args[0]) ? args[0] : Object.values((args[0] ?? {}) as object);
  return `should be equal to one of the allowed values [ ${allowed.join(', ')} ]`;
};

/** The texts of class-validator's own rules, type rules first: the first that an error has is told. */
const ruleTexts: readonly (readonly [rule: string, text: Text])[] = [
  ['isString', () => 'must be string'],
  ['isInt', () => 'must be integer'],
  ['isNumber', () => 'must be number'],
  ['isBoolean', () => 'must be boolean'],
  ['isArray', () => 'must be array'],
  ['isObject', () => 'must be object'],
  ['isIn', inList],
  ['isEnum', inList],
  ['isNotEmpty', () => 'should NOT be empty'],
  ['min', ([least]) => `must be >= ${String(least)}`],
  ['max', ([most]) => `must be <= ${String(most)}`],
  ['isPositive', () => 'must be > 0'],
  ['minLength', ([least]) => `should NOT be shorter than ${String(least)} characters`],
  ['isLength', ([least, most]) => `should have ${String(least)} to ${String(most)} characters`],
  ['maxLength', ([most]) => `should NOT be longer than ${String(most)} characters`],
  ['arrayMinSize', ([least]) => `should NOT have fewer than ${String(least)} items`],
  ['arrayMaxSize', ([most]) => `should NOT have more than ${String(most)} items`],
  ['arrayUnique', () => 'should NOT have duplicate items'],
  [
    'matches',
    ([pattern]) => `must match pattern "${pattern instanceof RegExp ? pattern.source : String(pattern)}"`,
  ],
  ['isEmail', () => 'must be a valid email'],
  ['isUrl', () => 'must be a valid URL'],
];

const argumentsOf = (dto: object, property: string, rule: string): readonly unknown[] => {
  const found = getMetadataStorage()
    .getTargetValidationMetadatas(dto as never, '', false, false)
    .find(
      (metadata) => metadata.propertyName === property && (metadata.name === rule || metadata.type === rule),
    );
  return (found?.constraints as unknown[] | undefined) ?? [];
};

const textOf = (error: ValidationError): string => {
  const constraints = error.constraints ?? {};
  const dto = (error.target as object).constructor;
  for (const [rule, text] of ruleTexts) {
    if (Object.hasOwn(constraints, rule)) return text(argumentsOf(dto, error.property, rule));
  }
  return Object.values(constraints)[0] ?? 'is invalid';
};

const step = (error: ValidationError): string =>
  Array.isArray(error.target) ? `[${error.property}]` : `.${error.property}`;

/** The first rule that class-validator found broken, as a violation. */
export const violationOf = (errors: readonly ValidationError[], path = ''): Violation => {
  const [error] = errors;
  if (!error) return new Violation(path, 'is invalid');
  if (error.children?.length) return violationOf(error.children, `${path}${step(error)}`);
  if (error.value === undefined)
    return new Violation(path, `must have required property '${error.property}'`);
  return new Violation(`${path}${step(error)}`, textOf(error));
};

/** The sentence of a violation, in the wording of the class the input is read as. `root`: `Payload` or `Query`. */
export const sentenceOf = (violation: Violation, dto: object, root: 'Payload' | 'Query'): string => {
  if (violation instanceof WholeViolation) return violation.sentence;
  const subject = violation.path === '' ? root : `Property ${violation.path}`;
  const verb = verbs.get(dto) ?? (root === 'Query' && violation.path === '' ? 'should' : 'must');
  // `must be <= 30` is quoted with `must` everywhere.
  const text = /^must (be [a-z]|have )/.test(violation.text)
    ? violation.text.replace(/^must/, verb)
    : violation.text;
  return `${subject} ${text}`;
};
