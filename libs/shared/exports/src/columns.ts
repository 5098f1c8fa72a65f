import type { ExportParameters } from '@scrip/contracts/operations';
import type { CsvCell } from '@scrip/files';
import type { ExportKind } from './export-kind';

/** A column of a file. */
export interface Column {
  label: string;
  of: (item: never) => unknown;
}

const words: Readonly<Record<string, string>> = { id: 'ID', qr: 'QR', sku: 'SKU', url: 'URL' };

/** The label of a field: `voucher_type` is `Voucher Type`, `id` is `ID`. Source: reference 07 §12. */
export const labelOf = (field: string): string =>
  field
    .split('_')
    .map((word) => words[word] ?? word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

const ofMetadata = 'metadata.';

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (object, key) =>
      typeof object === 'object' && object !== null && !Array.isArray(object) && Object.hasOwn(object, key)
        ? (object as Record<string, unknown>)[key]
        : undefined,
    value,
  );

/** The value under a key or, where dots lead into nested objects, under its path. */
const metadataValue = (metadata: unknown, key: string): unknown =>
  valueAt(metadata, [key]) ?? valueAt(metadata, key.split('.'));

/** The columns that a call asked for. `definedKeys`: what `metadata` stands for; where there are none, it is one column with
 *  all of a record's metadata. */
export const columnsOf = (
  kind: ExportKind,
  { fields }: Pick<ExportParameters, 'fields'>,
  definedKeys: readonly string[],
): Column[] => {
  const ofKey = (key: string): Column => ({
    label: key,
    of: (item) => metadataValue(kind.metadataOf(item), key),
  });
  return fields.flatMap((field): Column[] => {
    if (field.startsWith(ofMetadata)) return [ofKey(field.slice(ofMetadata.length))];
    if (field !== 'metadata') {
      const of = kind.cells[field];
      if (!of) throw new Error(`exports of ${kind.kind} have no column ${field}`);
      return [{ label: labelOf(field), of }];
    }
    return definedKeys.length > 0
      ? definedKeys.map(ofKey)
      : [{ label: 'Metadata', of: (item) => kind.metadataOf(item) }];
  });
};

const textOf = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

/** A value as its cell: what is absent is empty, lists are joined by commas, objects are JSON, times are UTC. */
export const cellOf = (value: unknown): CsvCell => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return textOf(value);
};
