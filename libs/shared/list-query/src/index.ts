export type { AddValue, FilterColumn, FilterColumns } from './filter-column';
export { filterOperators, type FilterOperator } from './filter-operators';
export type { FilterConditions, Filters } from './filters';
export { filterSql } from './filter-sql';
export { type ListStatements, type PageParts, countOf, mostCounted, pageStatements } from './page-statements';
export { type SqlStatement, StatementValues } from './statement-values';
