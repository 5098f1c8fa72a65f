import { getMetadataStorage, ValidationTypes } from 'class-validator';

type Class = new () => object;

/** What class-validator notes of one rule of one property. */
type RuleNote = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

type Holds = (object: object, value: unknown) => boolean;

/** The rules of one property: what `isAsked` refuses is not looked at. */
interface PropertyRules {
  property: string;
  isAsked: Holds[];
  holds: Holds[];
}

const condition = ({ constraints }: RuleNote): Holds => constraints[0] as Holds;

const valueRules = (note: RuleNote): Holds[] | null => {
  const found = getMetadataStorage().getTargetValidatorConstraints(note.constraintCls);
  if (note.each || note.validateIf || found.some(({ async }) => async)) return null;
  return found.map(({ instance }) => (object, value) => {
    const { propertyName: property, constraints } = note;
    const given = { targetName: object.constructor.name, property, object, value, constraints };
    return instance.validate(value, given) === true;
  });
};

const isNestedValue = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && rulesHold(value);

const nestedRule: Holds = (_, value) =>
  value === undefined || (Array.isArray(value) ? value.every(isNestedValue) : isNestedValue(value));

/** The rules that a note stands for; null where they cannot be looked at this way. */
const rulesOf = (note: RuleNote): Holds[] | null => {
  switch (note.type) {
    case ValidationTypes.CUSTOM_VALIDATION:
      return valueRules(note);
    case ValidationTypes.NESTED_VALIDATION:
      return [nestedRule];
    default:
      return null;
  }
};

const compiled = (dto: Class): PropertyRules[] | null => {
  const properties = new Map<string, PropertyRules>();
  for (const note of getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false)) {
    const property = note.propertyName;
    const rules = properties.get(property) ?? { property, isAsked: [], holds: [] };
    properties.set(property, rules);
    if (note.type === ValidationTypes.CONDITIONAL_VALIDATION) rules.isAsked.push(condition(note));
    else {
      const holds = rulesOf(note);
      if (!holds) return null;
      rules.holds.push(...holds);
    }
  }
  return [...properties.values()];
};

const known = new WeakMap<object, PropertyRules[] | null>();

/** Whether an instance of a DTO class keeps all of its rules. Looks them up once per class, where `validateSync` gathers them
 *  for each instance anew, which costs a row of a file more than all that is done with it otherwise. False also where that cannot
 *  be told this way: `validateSync` has the last word, and says what is wrong. */
export const rulesHold = (instance: object): boolean => {
  const dto = instance.constructor as Class;
  let rules = known.get(dto);
  if (rules === undefined) known.set(dto, (rules = compiled(dto)));
  return (
    rules?.every(({ property, isAsked, holds }) => {
      const value: unknown = (instance as Record<string, unknown>)[property];
      return (
        !isAsked.every((asked) => asked(instance, value)) || holds.every((rule) => rule(instance, value))
      );
    }) ?? false
  );
};
