import { type Refusal, refuse } from '@scrip/kernel';
import { elementsOf } from './condition-sql';
import { type AddValue, columnOf, type FilterColumns } from './filter-column';
import { isOfLocations } from './filter-operators';
import type { Filters } from './filters';
import { looksLikePlace } from './typed-values-sql';

const asksForPlaces = ([, conditions]: [string, Filters['fields'][string]]): boolean =>
  Object.keys(conditions).some(isOfLocations);

interface NamedLocation {
  id: string;
  /** `metadata.home.conditions.$in_location` */
  property: string;
}

const namedLocations = ({ fields }: Filters): NamedLocation[] =>
  Object.entries(fields).flatMap(([field, conditions]) =>
    Object.entries(conditions)
      .filter(([operator]) => isOfLocations(operator))
      .flatMap(([operator, ids]) =>
        ids.map((id) => ({ id: String(id), property: `${field}.conditions.${operator}` })),
      ),
  );

/** The ids of the locations that a filter refers to, each once. */
export const locationsOf = (filters: Filters): string[] => [
  ...new Set(namedLocations(filters).map(({ id }) => id)),
];

/** Refuses the property `filter` of a body for the first location that is among the unknown ones. */
export const unknownLocation = (
  filters: Filters,
  unknown: readonly string[],
): Refusal<'invalid_payload'> | null => {
  const named = namedLocations(filters).find(({ id }) => unknown.includes(id));
  return named
    ? refuse(
        'invalid_payload',
        `Property .filter.${named.property} names no location of the project: ${named.id}`,
      )
    : null;
};

/** Selects, as `place`, the texts that the fields with which filters ask for locations have in `from`, each once, as far as they
 *  look like places; null where no filter asks. Fields must be keys of `columns`, and columns of jsonb. */
export const placesSql = (
  filters: readonly Filters[],
  columns: FilterColumns,
  from: string,
  add: AddValue,
): string | null => {
  const asked = filters.flatMap(({ fields }) => Object.entries(fields).filter(asksForPlaces));
  const fields = [...new Set(asked.map(([field]) => field))];
  if (fields.length === 0) return null;
  const values = fields.map((field) => {
    const column = columnOf(field, columns, add);
    if (column.kind === 'states') throw new Error(`${field} has states, and no places`);
    return `(${column.sql})`;
  });
  return `SELECT DISTINCT element.value #>> '{}' AS place
    FROM ${from} CROSS JOIN LATERAL (VALUES ${values.join(', ')}) AS field(value)
    CROSS JOIN LATERAL ${elementsOf('field.value')} AS element(value)
    WHERE ${looksLikePlace(`(element.value #>> '{}')`)}`;
};
