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
   *  returns an outcome for each. */
  store(store: (records: Record[]) => Promise<readonly ItemOutcome[]>): Promise<ItemOutcome[]>;
}

const failed = ({
  failure: { key = 'invalid_payload', message, details = '' },
}: EdgeFailure): ItemOutcome => ({
  found: false,
  updated: false,
  failure: { key, message, details },
});

type ReadRow<Record> = { record: Record } | { outcome: ItemOutcome };

const readRowsOf = <Record>(read: readonly ReadRow<Record>[]): ReadRows<Record> => {
  const records = read.flatMap((one) => ('record' in one ? [one.record] : []));
  return {
    records,
    only: (index) => readRowsOf(read.slice(index, index + 1)),
    async store(store) {
      const outcomes = await store(records);
      let stored = 0;
      return read.map((one) => ('record' in one ? outcomes[stored++]! : one.outcome));
    },
  };
};

/** Reads rows by the columns of their file. `recordOf` throws `EdgeFailure` for a row that is no record: that row has failed,
 *  and no other. */
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
        if (!(error instanceof EdgeFailure)) throw error;
        return { outcome: failed(error) };
      }
    }),
  );
