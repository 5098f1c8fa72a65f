export { behindCreated, type CreatedCursor } from './created-cursor';
export { anyCalendar, type Calendar, calendarAt } from './calendar';
export type { AddValue, FilterColumn, FilterColumns } from './filter-column';
export type { Places, TypedMembers } from './value-column';
export {
  documentOperators,
  filterOperators,
  type FilterOperator,
  locationOperators,
} from './filter-operators';
export type { FilterConditions, Filters } from './filters';
export { locationsOf, placesSql, unknownLocation } from './places-sql';
export { filtersTogether } from './filters-together';
export { bodyFilterSql, filterSql } from './filter-sql';
export { type ListStatements, countOf, countedMax, pageBehindId, pageStatements } from './page-statements';
export { rangeSql } from './range-sql';
export { type SqlStatement, StatementValues } from './statement-values';
export { nextReview } from './next-review';
export {
  changesWithTheDay,
  filtersOf,
  mappedFilter,
  readsDays,
  readsMetadata,
  storedFilter,
  type StoredFilter,
} from './stored-filter';
export { onDaysSql, quarterSql } from './quarters-sql';
