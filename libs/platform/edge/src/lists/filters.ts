import { type Refusal, refuse } from '@scrip/kernel';
import { beginningOf, didYouMean } from '@scrip/kernel/pure';
import type { FilterConditions, Filters } from '@scrip/list-query';
import { isPlainObject } from '../validation/instantiate';
import { Violation, WholeViolation } from '../validation/violation';

/** What a list can be filtered by. `metadata.<key>` is allowed where a field is called `metadata.*`. */
export interface FilterSpec {
  fields: readonly string[];
  operators: readonly string[];
  /** Fields whose operators may also stand without `conditions`: `filters[active][$enabled]=true`. */
  bare?: readonly string[];
  /** What the names of its schemas begin with in the API description, where its operators are not the usual ones. */
  typeName?: string;
  /** What the property is called that messages name; `filters` unless given. */
  property?: 'filters' | 'filter';
  /** The sentence that refuses a filter without `junction`; absent: such a one means `and`. */
  withoutJunction?: string;
}

/** Each field is a part of the statement and each value one of its parameters. Source: reference 07 §1.5. */
export const filterLimits = { fields: 20, values: 100 } as const;

const propertyOf = ({ property = 'filters' }: FilterSpec): string => property;

const longestTold = 100;

/** That `name` is unknown, which was probably meant, and all that are allowed. */
const unknown = (kind: 'field' | 'operator', name: string, allowed: readonly string[]): string => {
  const meant = didYouMean(name, allowed);
  const kinds = kind === 'field' ? 'Fields' : 'Operators';
  return (
    `has an unknown ${kind} '${beginningOf(name, longestTold)}'. ${meant === null ? '' : `${meant} `}` +
    `${kinds} should be equal to one of the allowed values [ ${allowed.join(', ')} ]`
  );
};

const isAllowed = (field: string, { fields }: FilterSpec): boolean =>
  fields.includes(field) ||
  fields.some((allowed) => allowed.endsWith('.*') && field.startsWith(allowed.slice(0, -1)));

const junctionOf = (value: unknown, { withoutJunction }: FilterSpec): 'and' | 'or' => {
  const junction = typeof value === 'string' ? value.toLowerCase() : value;
  if (junction === undefined && withoutJunction !== undefined) throw new WholeViolation(withoutJunction);
  if (junction === undefined) return 'and';
  if (junction === 'and' || junction === 'or') return junction;
  throw new Violation('.filter', "has wrong 'junction' property. It must be one of: and, or");
};

const valuesOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : [value];

const isBare = (field: string, value: Record<string, unknown>, { bare }: FilterSpec): boolean =>
  !('conditions' in value) && (bare?.includes(field) ?? false);

const conditionsOf = (field: string, value: unknown, spec: FilterSpec): FilterConditions => {
  const inner = isPlainObject(value) && !isBare(field, value, spec) ? value.conditions : value;
  const conditions = isPlainObject(inner) ? inner : undefined;
  if (!conditions)
    throw new Violation(`.${propertyOf(spec)}.${field}`, "must have required property 'conditions'");
  return Object.fromEntries(
    Object.entries(conditions).map(([operator, values]) => {
      if (!spec.operators.includes(operator)) {
        throw new Violation(
          `.${propertyOf(spec)}.${field}.conditions`,
          unknown('operator', operator, spec.operators),
        );
      }
      return [operator, valuesOf(values)];
    }),
  );
};

const countOfValues = (conditions: FilterConditions): number =>
  Object.values(conditions).reduce((sum, values) => sum + values.length, 0);

/** Reads `filters` of a query or body. Throws `Violation` for an unknown field, operator or junction, naming it and
 *  what is allowed, and for more fields or values than `filterLimits`. A bare value equals a list of one.
 *  Source: reference 07 §1.5. */
export const readFilters = (input: unknown, spec: FilterSpec): Filters => {
  if (input === undefined) return { junction: 'and', fields: {} };
  const property = propertyOf(spec);
  if (!isPlainObject(input)) throw new Violation(`.${property}`, 'must be object');
  const { junction, ...fields } = input;
  const read: Record<string, FilterConditions> = {};
  let values = 0;
  for (const [field, value] of Object.entries(fields)) {
    if (!isAllowed(field, spec)) {
      throw new Violation(`.${property}`, unknown('field', field, spec.fields));
    }
    read[field] = conditionsOf(field, value, spec);
    values += countOfValues(read[field]);
    if (Object.keys(read).length > filterLimits.fields) {
      throw new Violation(
        `.${property}.${field}`,
        `is one field too many: filters can have ${filterLimits.fields}`,
      );
    }
    if (values > filterLimits.values) {
      throw new Violation(
        `.${property}.${field}`,
        `has too many values: filters can have ${filterLimits.values} together`,
      );
    }
  }
  return { junction: junctionOf(junction, spec), fields: read };
};

/** As `readFilters`, for a handler: refuses `invalid_payload`. `at`: the property of the body that has the filters. */
export const readFiltersOrRefuse = (
  input: unknown,
  spec: FilterSpec,
  at: string,
): Filters | Refusal<'invalid_payload'> => {
  try {
    return readFilters(input, spec);
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    return refuse('invalid_payload', `Property ${at}${error.path} ${error.text}`);
  }
};
