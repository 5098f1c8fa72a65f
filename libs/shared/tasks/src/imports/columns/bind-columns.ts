import { refuseFile, refuseUpload } from '../csv/file-refusal';
import type { ColumnMapping } from './column-mapping';
import type { BoundColumn, ImportColumns, StandardColumn } from './import-columns';

/** Columns that a file can have. */
const columnsMax = 500;

/** Names that would reach into the prototype of an object. */
const forbiddenNames = new Set(['__proto__', 'constructor', 'prototype']);

const folded = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '_');

const isNamed = (name: string, { names }: StandardColumn): boolean =>
  names.some((one) => folded(one) === folded(name));

const metadataColumn = (name: string, header: string): BoundColumn => {
  if (/\s/.test(name))
    throw refuseFile(
      `has the column ${header}: it is no standard column, and names of metadata have no blanks; .mapping can give it another name`,
    );
  if (forbiddenNames.has(name))
    throw refuseFile(`has the column ${header}, which cannot be a name of metadata`);
  return { metadata: name };
};

const nameOf = (column: BoundColumn): string | null => {
  if (column === null) return null;
  return 'field' in column ? `field ${column.field}` : `metadata ${column.metadata}`;
};

const checkTwice = (columns: readonly BoundColumn[], headers: readonly string[]): void => {
  const seen = new Set<string>();
  for (const [index, column] of columns.entries()) {
    const name = nameOf(column);
    if (name !== null && seen.has(name)) throw refuseFile(`has the column ${headers[index]} twice`);
    if (name !== null) seen.add(name);
  }
};

const checkHeaders = (headers: readonly string[], mapping: ColumnMapping): void => {
  if (headers.length > columnsMax) throw refuseFile(`has more than ${columnsMax} columns`);
  if (headers.length === 1 && headers[0]!.includes(';'))
    throw refuseFile('must have its columns separated by commas');
  const nameless = headers.indexOf('');
  if (nameless >= 0) throw refuseFile(`has no name for column ${nameless + 1} in its header line`);
  const unnamed = [...mapping.keys()].find((header) => !headers.includes(header.trim()));
  if (unnamed !== undefined) throw refuseUpload(`Property .mapping names no column of the file: ${unnamed}`);
};

/** What the columns of a file are, by its header line. Throws `EdgeFailure` (400) for headers that name nothing or one thing
 *  twice, and where a required column is missing. Source: reference 07 §11. */
export const bindColumns = (
  header: readonly string[],
  { standard }: ImportColumns,
  mapping: ColumnMapping,
): BoundColumn[] => {
  const headers = header.map((name) => name.trim());
  checkHeaders(headers, mapping);
  const mapped = new Map([...mapping].map(([from, to]) => [from.trim(), to]));
  const columns = headers.map((name): BoundColumn => {
    const meant = mapped.has(name) ? mapped.get(name)! : name;
    if (meant === null) return null;
    const known = standard.find((column) => isNamed(meant, column));
    return known ? { field: known.field } : metadataColumn(meant.trim(), name);
  });
  checkTwice(columns, headers);
  const missing = standard.find(
    ({ required, field }) => required && !columns.some((column) => nameOf(column) === `field ${field}`),
  );
  if (missing) throw refuseFile(`must have the column ${missing.names[0]}`);
  return columns;
};
