import { filterLimits, type FilterSpec, readFilters } from '../lists/filters';
import type { JsonSchema } from '../openapi/json-schema';
import { declareField } from './dto-fields';
import { IsAnything } from './rules';

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A bare value is read as a list of one. Queries have texts only. */
const valuesOf = ({ property }: FilterSpec): JsonSchema => ({
  type: 'array',
  items:
    property === undefined
      ? { type: 'string' }
      : { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
  'x-single-value': true,
});

const conditionsSchema = (spec: FilterSpec, field: string): JsonSchema => {
  const { operators, bare, typeName = '' } = spec;
  const values = valuesOf(spec);
  const conditions = {
    title: `${typeName}FilterConditions`,
    type: 'object',
    properties: Object.fromEntries(
      operators.filter((operator) => operator.startsWith('$')).map((operator) => [operator, values]),
    ),
    additionalProperties: false,
  };
  const full = {
    title: `${typeName}Filter`,
    type: 'object',
    properties: { conditions },
    required: ['conditions'],
  };
  return bare?.includes(field) ? { anyOf: [full, conditions] } : full;
};

const filtersSchema = (spec: FilterSpec): JsonSchema => {
  const isFamily = (field: string): boolean => field.endsWith('.*');
  const entries = spec.fields.map((field) => [field, conditionsSchema(spec, field)] as const);
  const families = entries.filter(([field]) => isFamily(field));
  return {
    type: 'object',
    description:
      'Conditions by field and operator: `filters[field][conditions][$operator]=value`, lists as ' +
      '`[$operator][0]=a` and `[$operator][1]=b`. `filters[junction]` (and, or; default and) joins the fields. ' +
      `At most ${filterLimits.fields} fields and ${filterLimits.values} values together.`,
    properties: {
      junction: { type: 'string', pattern: '^([aA][nN][dD]|[oO][rR])$' },
      ...Object.fromEntries(entries.filter(([field]) => !isFamily(field))),
    },
    ...(families.length === 0
      ? {}
      : {
          patternProperties: Object.fromEntries(
            families.map(([field, schema]) => [`^${escaped(field.slice(0, -1))}`, schema]),
          ),
        }),
    ...(spec.withoutJunction === undefined ? {} : { required: ['junction'] }),
    additionalProperties: false,
  };
};

/** A list's `filters`, read as `Filters`; for queries and bodies. */
export const IsFilters =
  (spec: FilterSpec): PropertyDecorator =>
  (prototype, property) => {
    IsAnything()(prototype, property);
    declareField(prototype, String(property), {
      normalise: (value) => readFilters(value, spec),
      schema: () => filtersSchema(spec),
    });
  };
