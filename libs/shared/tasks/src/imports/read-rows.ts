import { EdgeFailure } from '@scrip/edge';
import type { CompiledSchema } from '@scrip/metadata-schemas';
import type { ItemOutcome } from '../items/item-task';
import { rowValues, type RowValues } from './columns/row-values';
import type { CsvRow } from './csv/file-rows';
import type { CsvShared } from './csv-import';

/** Rows of a chunk, read. */
export interface ReadRows<Record> {
  /** Those of the rows that can be read. */
  records: readonly Record[];
  /** The row at an index alone. */
  only(index: number): ReadRows<Record>;
  /** Stores the records of the rows that can be read; returns an outcome for each row, in order. `store` gets the records and
   *  returns an outcome for each. Throws what the reading of a row threw, as that of a record that cannot be stored. */
  store(store: (records: Record[]) => Promise<readonly ItemOutcome[]>): Promise<ItemOutcome[]>;
}

const failed = ({
  failure: { key = 'invalid_payload', message, details = '' },
}: EdgeFailure): ItemOutcome => ({
  found: false,
  updated: false,
  failure: { key, message, details },
});

type ReadRow<Record> = { record: Record } | { outcome: ItemOutcome } | { broken: unknown };

const readRowsOf = <Record>(read: readonly ReadRow<Record>[]): ReadRows<Record> => {
  const records = read.flatMap((one) => ('record' in one ? [one.record] : []));
  return {
    records,
    only: (index) => readRowsOf(read.slice(index, index + 1)),
    async store(store) {
      for (const one of read) if ('broken' in one) throw one.broken;
      const outcomes = await store(records);
      let stored = 0;
      return read.map((one) => ('outcome' in one ? one.outcome : outcomes[stored++]!));
    },
  };
};

/** Reads rows by the columns of their file. `recordOf` throws `EdgeFailure` for a row that is no record: that row has failed,
 *  and no other. What else it throws is thrown where the rows are stored: there each row can be tried alone. */
export const readRows = <Record>(
  rows: readonly CsvRow[],
  { columns }: CsvShared,
  schema: Pick<CompiledSchema, 'ofCell'> | undefined,
  recordOf: (values: RowValues) => Record,
): ReadRows<Record> =>
  readRowsOf(
    rows.map(({ cells }): ReadRow<Record> => {
      try {
        return { record: recordOf(rowValues(columns, cells, schema)) };
      } catch (error) {
        return error instanceof EdgeFailure ? { outcome: failed(error) } : { broken: error };
      }
    }),
  );
