import { InstantRange, IsDateInput, IsText, Nested, offsetOf, orderOf, pageQuery } from '@scrip/edge';
import { type Refusal, refuse } from '@scrip/kernel';
import {
  type AddValue,
  countOf,
  type ListStatements,
  type SqlStatement,
  StatementValues,
} from '@scrip/list-query';
import { IsOptional } from 'class-validator';
import type { ListedField } from './customer-listing';

const maxValueLength = 4_096;

/** Query of GET /v1/customers. Source: reference 07 §1.4, §3. */
export class CustomerListQuery extends pageQuery({
  highestPage: 99,
  orders: ['created_at', 'updated_at', 'source_id'],
  order: '-created_at',
}) {
  @IsOptional() @IsText({ max: maxValueLength }) email?: string;
  @IsOptional() @IsText({ max: maxValueLength }) city?: string;
  @IsOptional() @IsText({ max: maxValueLength }) name?: string;
  @IsOptional()
  @IsText({
    max: 512,
    description:
      'The customers of a static or auto-update segment. A passive one is refused: its customers are not kept.',
  })
  segment_id?: string;
  @IsOptional() @Nested(() => InstantRange) created_at?: InstantRange;
  @IsOptional() @Nested(() => InstantRange) updated_at?: InstantRange;
  @IsOptional() @IsDateInput() starting_after?: string;
  @IsOptional()
  @IsText({
    min: 1,
    max: 512,
    description:
      'Id of the last customer of the page before: the list goes on behind it, however long it is.',
  })
  starting_after_id?: string;
}

type Order = CustomerListQuery['order'];

/** Where the customer of `starting_after_id` stands in the list. */
export interface ListCursor {
  id: string;
  created_at: Date;
  changed_at: Date;
  /** Null of a customer that was deleted meanwhile. */
  source_id: string | null;
}

/** The statements of a page, which has one row more than it shows where there is more, and of the bounded count of all
 *  that match. */
export type CustomerListStatements = ListStatements & {
  /** Whether the page begins behind a cursor: its rows say nothing of the count. */
  behindCursor: boolean;
};

const badQuery = (details: string): Refusal<'invalid_query_params'> =>
  refuse('invalid_query_params', details);

/** Refuses what does not fit together. */
const contradictionOf = (query: CustomerListQuery): Refusal<'invalid_query_params'> | null => {
  const { starting_after: date, starting_after_id: id, page, order } = query;
  if (id !== undefined && page > 1) return badQuery('Only one of .page and .starting_after_id can be given');
  if (id !== undefined && date !== undefined)
    return badQuery('Only one of .starting_after and .starting_after_id can be given');
  if (date !== undefined && orderOf(order).field === 'source_id')
    return badQuery('Property .starting_after cannot go with the order source_id');
  return null;
};

const alias = { created_at: 'created_at', updated_at: 'changed_at', source_id: 'source_id' } as const;

type SortField = keyof typeof alias;

const listedFields = ['email', 'name', 'city'] as const satisfies readonly ListedField[];

const isFiltered = (query: CustomerListQuery): boolean => listedFields.some((field) => query[field]);

/** Where a list is read in its order: `k` has what it is found by, and source ids. */
const placesOf = (query: CustomerListQuery, field: SortField) => {
  const byKey = isFiltered(query) || field === 'source_id';
  const createdAt = byKey ? 'k.created_at' : 'c.created_at';
  const sorts = { created_at: createdAt, updated_at: 'c.changed_at', source_id: 'k.source_id' };
  return { byKey, sort: sorts[field], id: byKey && field !== 'updated_at' ? 'k.customer_id' : 'c.id' };
};

const rangeSql = (column: string, range: InstantRange | undefined, add: AddValue): string[] => [
  ...(range?.after ? [`${column} > ${add(range.after)}::timestamptz`] : []),
  ...(range?.before ? [`${column} < ${add(range.before)}::timestamptz`] : []),
];

const memberSql = (id: string, project: string, segment: string): string =>
  `EXISTS (SELECT FROM segment_members m WHERE m.project_id = ${project} AND m.segment_id = ${segment} AND m.customer_id = ${id})`;

/** What a list is found by: keyed hashes of values. */
export type FieldHash = (field: ListedField, value: string) => string;

/** The conditions of a list, on the tables that are read: `k`, `c` or both. */
const conditionsOf = (
  projectId: string,
  query: CustomerListQuery,
  { byKey, joined, hash, add }: { byKey: boolean; joined: boolean; hash: FieldHash; add: AddValue },
): string[] => {
  const project = add(projectId);
  return [
    ...(byKey ? [`k.project_id = ${project}`, 'k.listed'] : []),
    ...(!byKey || joined ? [`c.project_id = ${project}`, 'c.deleted_at IS NULL'] : []),
    ...listedFields.flatMap((field) =>
      query[field] ? [`k.${field}_hash = ${add(hash(field, query[field]))}`] : [],
    ),
    ...(query.segment_id === undefined
      ? []
      : [memberSql(byKey ? 'k.customer_id' : 'c.id', project, add(query.segment_id))]),
    ...rangeSql(byKey ? 'k.created_at' : 'c.created_at', query.created_at, add),
    ...rangeSql('c.changed_at', query.updated_at, add),
  ];
};

const cursorSql = (
  cursor: ListCursor,
  { field, descending }: { field: SortField; descending: boolean },
  { sort, id }: { sort: string; id: string },
  add: AddValue,
): string => {
  const value = cursor[alias[field]];
  const type = field === 'source_id' ? 'text' : 'timestamptz';
  return `(${sort}, ${id}) ${descending ? '<' : '>'} (${add(value)}::${type}, ${add(cursor.id)}::text)`;
};

const withKeys = 'customer_keys k JOIN customers c ON c.project_id = k.project_id AND c.id = k.customer_id';

/** Counts over as few tables as the filters ask for. */
const countStatement = (projectId: string, query: CustomerListQuery, hash: FieldHash): SqlStatement => {
  const values = new StatementValues();
  const byKey = isFiltered(query);
  const joined = byKey && query.updated_at !== undefined;
  const where = conditionsOf(projectId, query, { byKey, joined, hash, add: values.add }).join(' AND ');
  const from = joined ? withKeys : byKey ? 'customer_keys k' : 'customers c';
  return { text: countOf(`SELECT 1 FROM ${from} WHERE ${where}`), values: values.all };
};

/** Refuses `invalid_query_params`: parameters that do not go together. `cursor`: where the customer of
 *  `starting_after_id` stands. Source: reference 07 §1.4, ADR 72. */
export const customerListStatements = (
  projectId: string,
  query: CustomerListQuery,
  { cursor, hash }: { cursor: ListCursor | null; hash: FieldHash },
): CustomerListStatements | Refusal<'invalid_query_params'> => {
  const contradiction = contradictionOf(query);
  if (contradiction) return contradiction;
  const sorted = orderOf<SortField>(query.order as Order);
  const places = placesOf(query, sorted.field);
  const values = new StatementValues();
  const { add } = values;
  const where = conditionsOf(projectId, query, { byKey: places.byKey, joined: true, hash, add });
  if (query.starting_after !== undefined)
    where.push(`${places.sort} ${sorted.descending ? '<' : '>'} ${add(query.starting_after)}::timestamptz`);
  if (cursor) where.push(cursorSql(cursor, sorted, places, add));
  const direction = sorted.descending ? 'DESC' : 'ASC';
  const [limit, offset] = [query.limit + 1, offsetOf(query)];
  return {
    page: {
      text: `SELECT k.project_id, k.customer_id, k.wrapped_key, c.version::int AS version, c.epoch, c.state
        FROM ${withKeys} WHERE ${where.join(' AND ')}
        ORDER BY ${places.sort} ${direction}, ${places.id} ${direction} LIMIT ${limit} OFFSET ${offset}`,
      values: values.all,
    },
    count: countStatement(projectId, query, hash),
    limit,
    offset,
    behindCursor: cursor !== null || query.starting_after !== undefined,
  };
};
