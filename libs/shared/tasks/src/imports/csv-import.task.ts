import type { ItemTaskKind } from '@scrip/contracts/operations';
import type { RequestContext } from '@scrip/kernel';
import type { MetadataSchemas } from '@scrip/metadata';
import type { CompiledSchema, RelatedObject } from '@scrip/metadata-schemas';
import type { EntityManager } from 'typeorm';
import type { ItemOutcome, ItemTask } from '../items/item-task';
import type { RowValues } from './columns/row-values';
import type { CsvRow } from './csv/file-rows';
import type { CsvShared } from './csv-import';
import { importMessage } from './import-message';
import { readRows } from './read-rows';

/** Stores the rows of a file, chunk by chunk: a subclass says what record a row tells, and stores the records of a chunk.
 *  Source: reference 07 §11. */
export abstract class CsvImportTask<Record> implements ItemTask<
  CsvRow,
  CsvShared,
  CompiledSchema | undefined
> {
  abstract readonly kind: ItemTaskKind;
  readonly identifiedBy = 'source_id';
  readonly hasReport = false;
  readonly messageOf: (done: number, failed: number, shared: CsvShared) => string;

  /** `what`: a record, in the message of the result. `schema`: whose metadata the records have. */
  protected constructor(
    private readonly schemas: MetadataSchemas,
    private readonly about: { what: string; schema: RelatedObject },
  ) {
    this.messageOf = importMessage(about.what);
  }

  identifierOf({ identifier }: CsvRow): string | null {
    return identifier;
  }

  isRehearsal({ dry_run }: CsvShared): boolean {
    return dry_run;
  }

  prepare(context: RequestContext): Promise<CompiledSchema | undefined> {
    return this.schemas.of(context, this.about.schema);
  }

  carryOut(
    manager: EntityManager,
    context: RequestContext,
    rows: readonly CsvRow[],
    shared: CsvShared,
    schema: CompiledSchema | undefined,
  ): Promise<ItemOutcome[]> {
    const read = readRows(rows, shared, schema, (values) => this.recordOf(values));
    return read.store((records) => this.store(manager, context, records, schema));
  }

  /** Returns the record that a row tells. Throws `EdgeFailure` for a row that is none: that row fails, and no other. */
  protected abstract recordOf(values: RowValues): Record;

  /** Stores records as `ItemTask.carryOut` does; returns an outcome for each, in order. `schema`: of the project. */
  protected abstract store(
    manager: EntityManager,
    context: RequestContext,
    records: readonly Record[],
    schema: CompiledSchema | undefined,
  ): Promise<readonly ItemOutcome[]>;
}
