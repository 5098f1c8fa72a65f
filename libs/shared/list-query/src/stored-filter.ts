import { columnOf, type FilterColumns } from './filter-column';
import { calendarOperators, relativeOperators } from './filter-operators';
import type { FilterConditions, Filters } from './filters';

/** A filter as it is stored and shown: `{junction, <field>: {conditions: {<operator>: [values]}}}`. Source: reference 07
 *  §1.5. */
export type StoredFilter = Record<string, unknown>;

/** The stored form of a filter that was sent: every value in a list, `junction` always there. */
export const storedFilter = ({ junction, fields }: Filters): StoredFilter => ({
  junction,
  ...Object.fromEntries(Object.entries(fields).map(([field, conditions]) => [field, { conditions }])),
});

/** What a stored filter was made of. */
export const filtersOf = ({ junction, ...fields }: StoredFilter): Filters => ({
  junction: junction === 'or' ? 'or' : 'and',
  fields: Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [
      field,
      (value as { conditions: FilterConditions }).conditions,
    ]),
  ),
});

/** A stored filter whose values are others. `valueOf`: what stands in place of a value of a field's condition. */
export const mappedFilter = (
  filter: StoredFilter,
  valueOf: (value: unknown, at: { field: string; operator: string }) => unknown,
): StoredFilter => {
  const { junction, fields } = filtersOf(filter);
  const mapped = Object.entries(fields).map(([field, conditions]) => [
    field,
    Object.fromEntries(
      Object.entries(conditions).map(([operator, values]) => [
        operator,
        values.map((value) => valueOf(value, { field, operator })),
      ]),
    ),
  ]);
  return storedFilter({ junction, fields: Object.fromEntries(mapped) as Filters['fields'] });
};

/** Whether a stored filter reads metadata, whose types may change. */
export const readsMetadata = (filter: StoredFilter): boolean =>
  Object.keys(filtersOf(filter).fields).some((field) => field.startsWith('metadata.'));

const ofTheCalendar: ReadonlySet<string> = new Set(calendarOperators);

/** Whether a stored filter compares with days, which are those of the project's time zone. */
export const readsDays = (filter: StoredFilter): boolean =>
  Object.values(filtersOf(filter).fields).some((conditions) =>
    Object.keys(conditions).some((operator) => ofTheCalendar.has(operator)),
  );

const daysAgo = /^\$(more|less)_than(_equal)?$/;

/** Whether records can begin or cease to match a stored filter on `columns` as days go by. */
export const changesWithTheDay = (filter: StoredFilter, columns: FilterColumns): boolean =>
  Object.entries(filtersOf(filter).fields).some(([field, conditions]) => {
    const { kind } = columnOf(field, columns, () => '$1');
    return Object.keys(conditions).some(
      (operator) =>
        relativeOperators.has(operator) ||
        // Elsewhere these compare numbers.
        (daysAgo.test(operator) && (kind === 'instant' || kind === 'day')),
    );
  });
