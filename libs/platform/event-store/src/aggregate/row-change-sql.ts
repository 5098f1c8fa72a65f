/** The expression of a group: `source` has a row where the write is made, `parameter` holds the changes as JSON. */
type GroupSql = (source: string, parameter: string) => string;

/** Quoted columns, separated by commas. */
export const list = (columns: readonly string[], prefix = ''): string =>
  columns.map((column) => `${prefix}"${column}"`).join(', ');

// jsonb_populate_record gives each value the type of its column, so that changes need not name types.
const records = (table: string, source: string, parameter: string): string =>
  `${source}, jsonb_populate_recordset(NULL::${table}, ${parameter}::jsonb) r`;

const parts = (table: string, names: readonly string[]): string =>
  names.map((name) => `jsonb_populate_record(NULL::${table}, c.change->'${name}') ${name[0]}`).join(', ');

const matches = (key: readonly string[], expect: readonly string[]): string =>
  [
    ...key.map((column) => `t."${column}" = k."${column}"`),
    ...expect.map((column) => `t."${column}" IS NOT DISTINCT FROM e."${column}"`),
  ].join(' AND ');

export const insertSql =
  (table: string, columns: readonly string[]): GroupSql =>
  (source, parameter) => `
  INSERT INTO ${table} (${list(columns)})
  SELECT ${list(columns, 'r.')} FROM ${records(table, source, parameter)}`;

export const updateSql =
  (table: string, key: readonly string[], expect: readonly string[], set: readonly string[]): GroupSql =>
  (source, parameter) => `
  UPDATE ${table} t SET ${set.map((column) => `"${column}" = s."${column}"`).join(', ')}
  FROM ${source}, jsonb_array_elements(${parameter}::jsonb) AS c(change), ${parts(table, ['key', 'expect', 'set'])}
  WHERE ${matches(key, expect)}
  RETURNING 1`;

export const deleteSql =
  (table: string, key: readonly string[], expect: readonly string[]): GroupSql =>
  (source, parameter) => `
  DELETE FROM ${table} t
  USING ${source}, jsonb_array_elements(${parameter}::jsonb) AS c(change), ${parts(table, ['key', 'expect'])}
  WHERE ${matches(key, expect)}
  RETURNING 1`;

/** Rows that no transaction locks FOR UPDATE until the end: those who write them otherwise go on. */
export const holdSql =
  (table: string, key: readonly string[], expect: readonly string[]): GroupSql =>
  (source, parameter) => `
  SELECT 1 FROM ${source}, jsonb_array_elements(${parameter}::jsonb) AS c(change), ${parts(table, ['key', 'expect'])},
    ${table} t WHERE ${matches(key, expect)} FOR KEY SHARE OF t`;

// Rows are locked in key order, so that two statements with the same rows do not deadlock.
const insertOrChange =
  (
    table: string,
    key: readonly string[],
    columns: readonly string[],
    change: (column: string) => string,
  ): GroupSql =>
  (source, parameter) => `
  INSERT INTO ${table} AS t (${list([...key, ...columns])})
  SELECT ${list([...key, ...columns], 'r.')} FROM ${records(table, source, parameter)}
  ORDER BY ${list(key, 'r.')}
  ON CONFLICT (${list(key)}) DO UPDATE SET ${columns.map((column) => `"${column}" = ${change(column)}`).join(', ')}`;

export const upsertSql = (table: string, key: readonly string[], set: readonly string[]): GroupSql =>
  insertOrChange(table, key, set, (column) => `excluded."${column}"`);

export const incrementSql = (table: string, key: readonly string[], by: readonly string[]): GroupSql =>
  insertOrChange(table, key, by, (column) => `t."${column}" + excluded."${column}"`);

/** As `incrementSql`, of rows that are there. */
export const addSql =
  (table: string, key: readonly string[], by: readonly string[]): GroupSql =>
  (source, parameter) => `
  UPDATE ${table} t SET ${by.map((column) => `"${column}" = t."${column}" + r."${column}"`).join(', ')}
  FROM ${records(table, source, parameter)}
  WHERE ${key.map((column) => `t."${column}" = r."${column}"`).join(' AND ')}
  RETURNING 1`;

/** The rows that have one of the keys. */
export const findSql =
  (table: string, key: readonly string[]): GroupSql =>
  (source, parameter) => `
  SELECT 1 FROM ${records(table, source, parameter)}
  JOIN ${table} t ON ${key.map((column) => `t."${column}" = r."${column}"`).join(' AND ')}`;
