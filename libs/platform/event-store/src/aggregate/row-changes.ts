import type { RowChange, SqlValue } from './aggregate';
import {
  addSql,
  deleteSql,
  findSql,
  holdSql,
  incrementSql,
  insertSql,
  list,
  updateSql,
  upsertSql,
} from './row-change-sql';
import { rowIdOf } from './row-id';

type Values = Record<string, SqlValue | undefined>;

/** Changes of one table, one kind and one set of columns: one common table expression, one JSON parameter. */
export interface ChangeGroup {
  shape: string;
  sql: (source: string, parameter: string) => string;
  table: string;
  /** Columns of an insert. */
  columns: readonly string[];
  /** How many rows the expression must return; `any` where that tells nothing. */
  rows: 'one each' | 'none' | 'any';
  values: unknown[];
}

/** The values as JSON can hold them; mostly they are so already. */
const plain = (values: Values): Values => {
  if (!Object.values(values).some((value) => typeof value === 'bigint')) return values;
  return Object.fromEntries(
    Object.entries(values).map(([column, value]) => [
      column,
      typeof value === 'bigint' ? value.toString() : value,
    ]),
  );
};

const columnsOf = (values: Values = {}): string[] =>
  Object.keys(values)
    .filter((column) => values[column] !== undefined)
    .sort();

type Kind = 'insert' | 'update' | 'delete' | 'upsert' | 'increment' | 'add' | 'holds' | 'absent';

const groupFor = (
  kind: Kind,
  table: string,
  sets: readonly (readonly string[])[],
  { sql, rows }: Pick<ChangeGroup, 'sql' | 'rows'>,
): ChangeGroup => ({
  shape: `${kind}:${table}:${sets.map((columns) => columns.join()).join(':')}`,
  sql,
  table,
  columns: kind === 'insert' ? sets[0]! : [],
  rows,
  values: [],
});

const groupOf = (change: RowChange): ChangeGroup => {
  if ('insert' in change) {
    const columns = columnsOf(change.values);
    return groupFor('insert', change.insert, [columns], {
      sql: insertSql(change.insert, columns),
      rows: 'any',
    });
  }
  const key = columnsOf(change.key);
  if ('update' in change) {
    const [expect, set] = [columnsOf(change.expect), columnsOf(change.set)];
    const sql = updateSql(change.update, key, expect, set);
    return groupFor('update', change.update, [key, expect, set], { sql, rows: 'one each' });
  }
  if ('delete' in change) {
    const expect = columnsOf(change.expect);
    const sql = deleteSql(change.delete, key, expect);
    return groupFor('delete', change.delete, [key, expect], { sql, rows: 'one each' });
  }
  if ('upsert' in change) {
    const set = columnsOf(change.set);
    const sql = upsertSql(change.upsert, key, set);
    return groupFor('upsert', change.upsert, [key, set], { sql, rows: 'any' });
  }
  if ('increment' in change) {
    const [by, { increment: table, exists }] = [columnsOf(change.by), change];
    return exists
      ? groupFor('add', table, [key, by], { sql: addSql(table, key, by), rows: 'one each' })
      : groupFor('increment', table, [key, by], {
          sql: incrementSql(table, key, by),
          rows: 'any',
        });
  }
  if ('holds' in change) {
    const expect = columnsOf(change.expect);
    const sql = holdSql(change.holds, key, expect);
    return groupFor('holds', change.holds, [key, expect], { sql, rows: 'one each' });
  }
  return groupFor('absent', change.absent, [key], { sql: findSql(change.absent, key), rows: 'none' });
};

const valueOf = (change: RowChange): unknown => {
  if ('insert' in change) return plain(change.values);
  if ('upsert' in change) return plain({ ...change.key, ...change.set });
  if ('increment' in change) return plain({ ...change.key, ...change.by });
  if ('absent' in change) return plain(change.key);
  const expect = plain(change.expect ?? {});
  return 'update' in change
    ? { key: plain(change.key), expect, set: plain(change.set) }
    : { key: plain(change.key), expect };
};

type Increment = Extract<RowChange, { increment: string }>;

const sumOf = (a: Increment, b: Increment): Increment => {
  const by = { ...a.by };
  for (const [column, value] of Object.entries(b.by)) by[column] = (by[column] ?? 0) + value;
  return { ...a, by };
};

/** The changes with increments of one row as one; `absent` stands once for each key. */
const combined = (changes: readonly RowChange[]): RowChange[] => {
  const once = new Map<string, RowChange>();
  const others: RowChange[] = [];
  for (const change of changes) {
    if ('increment' in change) {
      const how = `${change.exists ? 'add' : 'increment'} ${columnsOf(change.by).join()}`;
      const id = `${how} ${rowIdOf(change.increment, change.key)}`;
      const earlier = once.get(id) as Increment | undefined;
      once.set(id, earlier ? sumOf(earlier, change) : change);
    } else if ('absent' in change) once.set(`absent ${rowIdOf(change.absent, change.key)}`, change);
    else others.push(change);
  }
  return [...others, ...once.values()];
};

/** Side rows as few groups, in an order that depends on their shapes alone. */
export const groupChanges = (changes: readonly RowChange[]): ChangeGroup[] => {
  const groups = new Map<string, ChangeGroup>();
  for (const change of combined(changes)) {
    const fresh = groupOf(change);
    const group = groups.get(fresh.shape) ?? fresh;
    if (group === fresh) groups.set(fresh.shape, fresh);
    group.values.push(valueOf(change));
  }
  return [...groups.values()].sort((a, b) => (a.shape < b.shape ? -1 : 1));
};

/** The values of a group as its parameter is given them. */
export const parameterOf = ({ values }: ChangeGroup): string => JSON.stringify(values);

/** The groups as common table expressions `r0`, `r1`, … (`r` is the `prefix`), each writing once for every row of `source`, and
 *  an expression that aborts the statement unless each group found the rows that it must find. `parameters`: the place of each
 *  group's `parameterOf`. */
export const changesSql = (
  groups: readonly ChangeGroup[],
  source: string,
  parameters: readonly string[],
  prefix = 'r',
): { expressions: string[]; assertion: string } => {
  const expressions: string[] = [];
  const assertions: string[] = [];
  for (const [index, group] of groups.entries()) {
    const values = parameters[index]!;
    expressions.push(`${prefix}${index} AS (${group.sql(source, values)})`);
    if (group.rows === 'any') continue;
    const expected = group.rows === 'none' ? '0' : `jsonb_array_length(${values}::jsonb)`;
    assertions.push(
      `assert_changed_rows((SELECT count(*) FROM ${prefix}${index}), ${expected}, '${group.table}')`,
    );
  }
  return { expressions, assertion: assertions.join(' AND ') || 'true' };
};

/** What must be alike for the side rows of two writes to go into one merged statement. */
export const shapeOfChanges = (changes: readonly RowChange[]): string =>
  groupChanges(changes)
    .map(({ shape }) => shape)
    .join(';');

const mergedInsert = (table: string, columns: readonly string[], parameter: string): string => `
  INSERT INTO ${table} (${list(columns)})
  SELECT ${list(columns, 'r.')}
  FROM u JOIN jsonb_to_recordset(${parameter}::jsonb) AS c(n bigint, r jsonb) ON c.n = u.n,
    jsonb_populate_record(NULL::${table}, c.r) r`;

/** Inserts of several members, which all have the same shape, as common table expressions `r0`, `r1`, …: a member's rows
 *  are written where its number, from 1, is among the numbers `n` of `u`. */
export const mergedChangesSql = (
  members: readonly (readonly RowChange[])[],
  parameter: (value: string) => string,
): string[] => {
  const grouped = members.map((changes) => groupChanges(changes));
  return (grouped[0] ?? []).map(({ table, columns }, index) => {
    const rows = grouped.flatMap((groups, member) =>
      groups[index]!.values.map((values) => ({ n: member + 1, r: values })),
    );
    return `r${index} AS (${mergedInsert(table, columns, parameter(JSON.stringify(rows)))})`;
  });
};
