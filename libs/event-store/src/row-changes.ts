import type { RowChange, SqlValue } from './aggregate';

type Values = Record<string, SqlValue | undefined>;

/** Changes of one table and one set of columns: one common table expression, one JSON parameter. */
export interface ChangeGroup {
  shape: string;
  sql: (source: string, parameter: string) => string;
  table: string;
  isUpdate: boolean;
  values: unknown[];
}

const plain = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([column, value]) => [
      column,
      typeof value === 'bigint' ? value.toString() : value,
    ]),
  );

const presentColumns = (values: Values): string[] =>
  Object.keys(values).filter((column) => values[column] !== undefined);

const list = (columns: readonly string[], prefix = ''): string =>
  columns.map((column) => `${prefix}"${column}"`).join(', ');

// jsonb_populate_record gives each value the type of its column, so that changes need not name types.
const insertGroup =
  (table: string, columns: readonly string[]): ChangeGroup['sql'] =>
  (source, parameter) => `
  INSERT INTO ${table} (${list(columns)})
  SELECT ${list(columns, 'r.')} FROM ${source}, jsonb_populate_recordset(NULL::${table}, ${parameter}::jsonb) r`;

const updateGroup =
  (
    table: string,
    key: readonly string[],
    expect: readonly string[],
    set: readonly string[],
  ): ChangeGroup['sql'] =>
  (source, parameter) => `
  UPDATE ${table} t SET ${set.map((column) => `"${column}" = s."${column}"`).join(', ')}
  FROM ${source}, jsonb_array_elements(${parameter}::jsonb) AS c(change),
    jsonb_populate_record(NULL::${table}, c.change->'key') k,
    jsonb_populate_record(NULL::${table}, c.change->'expect') e,
    jsonb_populate_record(NULL::${table}, c.change->'set') s
  WHERE ${[
    ...key.map((column) => `t."${column}" = k."${column}"`),
    ...expect.map((column) => `t."${column}" IS NOT DISTINCT FROM e."${column}"`),
  ].join(' AND ')}
  RETURNING 1`;

const groupOf = (change: RowChange): ChangeGroup => {
  if ('insert' in change) {
    const columns = presentColumns(change.values).sort();
    const table = change.insert;
    return {
      shape: `i:${table}:${columns.join()}`,
      sql: insertGroup(table, columns),
      table,
      isUpdate: false,
      values: [],
    };
  }
  const [key, expect, set] = [change.key, change.expect ?? {}, change.set].map((values) =>
    presentColumns(values).sort(),
  );
  const table = change.update;
  const shape = `u:${table}:${key!.join()}:${expect!.join()}:${set!.join()}`;
  return { shape, sql: updateGroup(table, key!, expect!, set!), table, isUpdate: true, values: [] };
};

const valueOf = (change: RowChange): unknown =>
  'insert' in change
    ? plain(change.values)
    : { key: plain(change.key), expect: plain(change.expect ?? {}), set: plain(change.set) };

/** Side rows as few groups, in an order that depends on their shapes alone. */
export const groupChanges = (changes: readonly RowChange[]): ChangeGroup[] => {
  const groups = new Map<string, ChangeGroup>();
  for (const change of changes) {
    const fresh = groupOf(change);
    const group = groups.get(fresh.shape) ?? fresh;
    if (group === fresh) groups.set(fresh.shape, fresh);
    group.values.push(valueOf(change));
  }
  return [...groups.values()].sort((a, b) => (a.shape < b.shape ? -1 : 1));
};

/** The groups as common table expressions `r0`, `r1`, …, each writing once for every row of `source`, and an
 *  expression that aborts the statement unless each `update` found exactly its rows. */
export const changesSql = (
  groups: readonly ChangeGroup[],
  source: string,
  parameter: (value: string) => string,
): { expressions: string[]; assertion: string } => {
  const expressions: string[] = [];
  const assertions: string[] = [];
  for (const [index, group] of groups.entries()) {
    const values = parameter(JSON.stringify(group.values));
    expressions.push(`r${index} AS (${group.sql(source, values)})`);
    if (!group.isUpdate) continue;
    const [changed, expected] = [`(SELECT count(*) FROM r${index})`, `jsonb_array_length(${values}::jsonb)`];
    assertions.push(`assert_changed_rows(${changed}, ${expected}, '${group.table}')`);
  }
  return { expressions, assertion: assertions.join(' AND ') || 'true' };
};
