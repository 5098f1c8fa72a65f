import {
  type ConditionsDefinition,
  type Moment,
  type ValueKind,
  compileConditions,
  isProblem,
} from './conditions';

type Kind = Exclude<ValueKind, 'products'>;

/** Tuesday, one o'clock in the afternoon in Warsaw. */
export const tuesday: Moment = { now: new Date('2026-03-10T12:00:00Z'), timezone: 'Europe/Warsaw' };

/** Whether `value` satisfies `definition`, which must be sound. */
export const hold = (
  definition: ConditionsDefinition,
  value: unknown,
  kind: Kind = 'metadata',
  at: Moment = tuesday,
): boolean => {
  const conditions = compileConditions(definition, kind, 'r');
  if (isProblem(conditions)) throw new Error(conditions.problem);
  return conditions.hold(value, at);
};

/** Why `definition` is refused; null when it is not. */
export const problemOf = (definition: unknown, kind: Kind = 'metadata'): string | null => {
  const conditions = compileConditions(definition as ConditionsDefinition, kind, 'r');
  return isProblem(conditions) ? conditions.problem : null;
};
