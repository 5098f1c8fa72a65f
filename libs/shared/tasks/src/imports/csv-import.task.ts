import type { ItemIdentifier, ItemTaskKind } from '@scrip/contracts/operations';
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

/** What a chunk needs of other contexts. */
interface Prepared<Ahead> {
  schema: CompiledSchema | undefined;
  ahead: Ahead | undefined;
}

/** Stores the rows of a file, chunk by chunk: a subclass says what record a row tells, and stores the records of a chunk.
 *  Source: reference 07 §11. */
export abstract class CsvImportTask<
  Record,
  Shared extends CsvShared = CsvShared,
  Ahead = undefined,
> implements ItemTask<CsvRow, Shared, Prepared<Ahead>> {
  abstract readonly kind: ItemTaskKind;
  readonly identifiedBy: ItemIdentifier = 'source_id';
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

  async prepare(
    context: RequestContext,
    rows: readonly CsvRow[],
    of: { shared: Shared; taskId: string },
  ): Promise<Prepared<Ahead>> {
    const schema = await this.schemas.of(context, this.about.schema);
    const records = () => readRows(rows, of.shared, schema, (values) => this.recordOf(values)).records;
    return { schema, ahead: await this.ahead?.(context, records, of) };
  }

  carryOut(
    manager: EntityManager,
    context: RequestContext,
    rows: readonly CsvRow[],
    shared: Shared,
    { schema, ahead }: Prepared<Ahead>,
    taskId: string,
  ): Promise<ItemOutcome[]> {
    const read = readRows(rows, shared, schema, (values) => this.recordOf(values));
    return read.store((records) => this.store(manager, context, records, schema, { shared, taskId, ahead }));
  }

  /** Returns the record that a row tells. Throws `EdgeFailure` for a row that is none: that row fails, and no other. */
  protected abstract recordOf(values: RowValues): Record;

  /** Does what other contexts have to do before the transaction of a chunk, as `ItemTask.prepare` does. `records`: reads those of the
   *  rows that are records. */
  protected ahead?(
    context: RequestContext,
    records: () => readonly Record[],
    of: { shared: Shared; taskId: string },
  ): Promise<Ahead>;

  /** Stores records as `ItemTask.carryOut` does; returns an outcome for each, in order. `schema`: of the project. `of`: which
   *  import, and what `ahead` returned. */
  protected abstract store(
    manager: EntityManager,
    context: RequestContext,
    records: readonly Record[],
    schema: CompiledSchema | undefined,
    of: { shared: Shared; taskId: string; ahead: Ahead | undefined },
  ): Promise<readonly ItemOutcome[]>;
}
