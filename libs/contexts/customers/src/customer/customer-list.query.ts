import { InstantRange, IsDateInput, IsText, Nested, offsetOf, orderOf, pageQuery } from '@scrip/edge';
import { type Refusal, refuse } from '@scrip/kernel';
import {
  type AddValue,
  countOf,
  type ListStatements,
  rangeSql,
  type SqlStatement,
  StatementValues,
} from '@scrip/list-query';
import { IsOptional } from 'class-validator';
import {
  customerConditions,
  type FieldHash,
  isFoundByHash,
  keyConditions,
  memberCondition,
  surelyChangedSql,
  withKeys,
} from './customer-list.sql';

export type { FieldHash } from './customer-list.sql';

const valueLengthMax = 4_096;

/** Query of GET /v1/customers. Source: reference 07 §1.4, §3. */
export class CustomerListQuery extends pageQuery({
  highestPage: 99,
  orders: ['created_at', 'updated_at', 'source_id'],
  order: '-created_at',
}) {
  @IsOptional() @IsText({ max: valueLengthMax }) email?: string;
  @IsOptional() @IsText({ max: valueLengthMax }) city?: string;
  @IsOptional() @IsText({ max: valueLengthMax }) name?: string;
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

interface Sorted {
  field: SortField;
  descending: boolean;
}

/** Where a list is read in its order. `byKey`: in an index of keys, which `k` is; else of customers. */
const placesOf = (query: CustomerListQuery, { field }: Sorted) => {
  const byKey =
    field === 'source_id' || (field === 'created_at' && isFoundByHash(query) && !query.updated_at);
  const createdAt = byKey ? 'k.created_at' : 'c.created_at';
  const sorts = { created_at: createdAt, updated_at: 'c.changed_at', source_id: 'k.source_id' };
  return { sort: sorts[field], id: byKey ? 'k.customer_id' : 'c.id' };
};

const behindSql = (
  query: CustomerListQuery,
  { cursor, sorted, add }: { cursor: ListCursor | null; sorted: Sorted; add: AddValue },
): string[] => {
  const { sort, id } = placesOf(query, sorted);
  const behind = sorted.descending ? '<' : '>';
  if (query.starting_after !== undefined)
    return [`${sort} ${behind} ${add(query.starting_after)}::timestamptz`];
  if (!cursor) return [];
  const value = cursor[alias[sorted.field]];
  const type = sorted.field === 'source_id' ? 'text' : 'timestamptz';
  return [`(${sort}, ${id}) ${behind} (${add(value)}::${type}, ${add(cursor.id)}::text)`];
};

/** Matches of a filter that are sorted. Of more than these, the index that has them in order soon shows enough. */
const sortedMax = 5_000;

/** The customers of a range of times, by the index of that time; null without a range. */
const inRangeSql = (
  { updated_at, created_at }: CustomerListQuery,
  { project, add }: { project: string; add: AddValue },
): string | null => {
  const range = updated_at ?? created_at;
  if (!range) return null;
  const time = updated_at ? 'c.changed_at' : 'c.created_at';
  const conditions = [`c.project_id = ${project}`, 'c.deleted_at IS NULL', ...rangeSql(time, range, add)];
  return `SELECT c.id AS customer_id FROM customers c WHERE ${conditions.join(' AND ')} ORDER BY ${time}`;
};

/** Where the index of a filter does not have its matches in the order of the list: the ids of few matches. */
const matchesSql = (
  query: CustomerListQuery,
  sorted: Sorted,
  { project, hash, add }: { project: string; hash: FieldHash; add: AddValue },
): string | null => {
  if (sorted.field === 'source_id' && query.segment_id === undefined) {
    const inRange = inRangeSql(query, { project, add });
    if (inRange !== null) return inRange;
  }
  if (isFoundByHash(query))
    return sorted.field === 'updated_at' || (sorted.field === 'created_at' && query.updated_at)
      ? `SELECT k.customer_id FROM customer_keys k WHERE ${keyConditions(project, query, { hash, add }).join(' AND ')}`
      : null;
  return query.segment_id === undefined
    ? null
    : `SELECT m.customer_id FROM segment_members m
       WHERE m.project_id = ${project} AND m.segment_id = ${add(query.segment_id)}`;
};

/** Whether nothing but membership of a segment decides who is listed. */
const isOfSegmentAlone = (query: CustomerListQuery): boolean =>
  query.segment_id !== undefined && !isFoundByHash(query) && !query.created_at && !query.updated_at;

/** Counts over as few tables as the filters ask for. Of a segment alone its members count: deleted customers leave it within
 *  seconds. */
const countStatement = (projectId: string, query: CustomerListQuery, hash: FieldHash): SqlStatement => {
  const { add, all } = new StatementValues();
  const project = add(projectId);
  if (isOfSegmentAlone(query))
    return {
      text: countOf(
        `SELECT 1 FROM segment_members m WHERE m.project_id = ${project} AND m.segment_id = ${add(query.segment_id)}`,
      ),
      values: all,
    };
  const byKey = isFoundByHash(query);
  const byCustomer = !byKey || query.updated_at !== undefined;
  const ofKeys = byKey ? keyConditions(project, query, { hash, add }) : [];
  const ofCustomers = byCustomer ? customerConditions(project, query, add) : [];
  const ofMembers = memberCondition(byKey ? 'k.customer_id' : 'c.id', project, query, add);
  const matches = (from: string, conditions: readonly string[]): string =>
    `SELECT 1 FROM ${from} WHERE ${conditions.join(' AND ')}`;
  if (!byKey) return { text: countOf(matches('customers c', [...ofCustomers, ...ofMembers])), values: all };
  const surely = byCustomer ? surelyChangedSql(query, add) : null;
  const joined = matches(byCustomer ? withKeys : 'customer_keys k', [
    ...ofKeys,
    ...ofCustomers,
    ...ofMembers,
    ...(surely ? [surely.earlier('k.created_at')] : []),
  ]);
  if (!surely) return { text: countOf(joined), values: all };
  // Those who were created late enough come first: often they are as many as are counted.
  const first = matches('customer_keys k', [...ofKeys, ...ofMembers, surely.created('k.created_at')]);
  return { text: countOf(`${first} UNION ALL ${joined}`), values: all };
};

const pageStatement = (
  projectId: string,
  query: CustomerListQuery,
  { cursor, sorted, hash }: { cursor: ListCursor | null; sorted: Sorted; hash: FieldHash },
): SqlStatement => {
  const { add, all } = new StatementValues();
  const project = add(projectId);
  const { sort, id } = placesOf(query, sorted);
  const direction = sorted.descending ? 'DESC' : 'ASC';
  const [limit, offset] = [query.limit + 1, offsetOf(query)];
  const matches = matchesSql(query, sorted, { project, hash, add });
  const where = [
    ...keyConditions(project, query, { hash, add }),
    ...(sorted.field === 'source_id' ? ['k.listed'] : []),
    ...customerConditions(project, query, add),
    ...memberCondition('k.customer_id', project, query, add),
    ...behindSql(query, { cursor, sorted, add }),
  ].join(' AND ');
  // What the index has is enough to find the page: of what does not match, or lies before it, no key is read.
  const rowsOf = (from: string, condition: string): string => `
    SELECT k.project_id, k.customer_id, k.wrapped_key, c.version::int AS version, c.epoch, c.state, p.sort
    FROM (
      SELECT ${id} AS id, ${sort} AS sort FROM ${from} WHERE ${where}${condition}
      ORDER BY ${sort} ${direction}, ${id} ${direction} LIMIT ${limit} OFFSET ${offset}
    ) p
    JOIN customers c ON c.project_id = ${project} AND c.id = p.id
    JOIN customer_keys k ON k.project_id = ${project} AND k.customer_id = p.id
    ORDER BY p.sort ${direction}, p.id ${direction}`;
  if (matches === null) return { text: rowsOf(withKeys, ''), values: all };
  const found =
    'found f JOIN customers c ON c.id = f.customer_id JOIN customer_keys k ON k.customer_id = c.id';
  return {
    text: `
      WITH found AS MATERIALIZED (${matches} LIMIT ${sortedMax + 1}),
        few AS MATERIALIZED (SELECT count(*) <= ${sortedMax} AS are FROM found)
      SELECT * FROM (
        (${rowsOf(found, ' AND (SELECT are FROM few)')})
        UNION ALL
        (${rowsOf(withKeys, ' AND NOT (SELECT are FROM few)')})
      ) page ORDER BY sort ${direction}, customer_id ${direction}`,
    values: all,
  };
};

/** The statements of a page, which has one row more than it shows where there is more, and of the bounded count of all that match.
 *  Refuses `invalid_query_params`: parameters that do not go together. `cursor`: where the customer of `starting_after_id` stands.
 *  Source: reference 07 §1.4, ADR 72. */
export const customerListStatements = (
  projectId: string,
  query: CustomerListQuery,
  { cursor, hash }: { cursor: ListCursor | null; hash: FieldHash },
): ListStatements | Refusal<'invalid_query_params'> => {
  const contradiction = contradictionOf(query);
  if (contradiction) return contradiction;
  const sorted = orderOf<SortField>(query.order as Order);
  return {
    page: pageStatement(projectId, query, { cursor, sorted, hash }),
    count: countStatement(projectId, query, hash),
    limit: query.limit + 1,
    offset: offsetOf(query),
    behindCursor: cursor !== null || query.starting_after !== undefined,
  };
};
