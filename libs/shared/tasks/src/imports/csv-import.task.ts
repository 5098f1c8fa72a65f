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
import { type ReadRows, readRows } from './read-rows';

/** What of a chunk needs neither its transaction nor its lock. */
export interface PreparedRows<Record, Ahead> {
  schema: CompiledSchema | undefined;
  read: ReadRows<Record>;
  ahead: Ahead | undefined;
}

/** Stores the rows of a file, chunk by chunk: a subclass says what record a row tells, and stores the records of a chunk.
 *  Source: reference 07 §11. */
export abstract class CsvImportTask<
  Record,
  Shared extends CsvShared = CsvShared,
  Ahead = undefined,
> implements ItemTask<CsvRow, Shared, PreparedRows<Record, Ahead>> {
  abstract readonly kind: ItemTaskKind;
  readonly identifiedBy: ItemIdentifier = 'source_id';
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

  /** A kind with an `ahead` of its own says itself whether that reads what its chunks write. */
  get preparesEarly(): boolean {
    return this.ahead === undefined;
  }

  async prepare(
    context: RequestContext,
    rows: readonly CsvRow[],
    of: { shared: Shared; taskId: string },
  ): Promise<PreparedRows<Record, Ahead>> {
    const schema = await this.schemas.of(context, this.about.schema);
    const read = readRows(rows, of.shared, schema, (values) => this.recordOf(values));
    return { schema, read, ahead: await this.ahead?.(context, read.records, { ...of, schema }) };
  }

  preparedFor({ read, ...shared }: PreparedRows<Record, Ahead>, index: number): PreparedRows<Record, Ahead> {
    return { ...shared, read: read.only(index) };
  }

  carryOut(
    manager: EntityManager,
    context: RequestContext,
    _rows: readonly CsvRow[],
    shared: Shared,
    { schema, read, ahead }: PreparedRows<Record, Ahead>,
    taskId: string,
  ): Promise<ItemOutcome[]> {
    return read.store((records) => this.store(manager, context, records, schema, { shared, taskId, ahead }));
  }

  /** Returns the record that a row tells. Throws `EdgeFailure` for a row that is none: that row fails, and no other. */
  protected abstract recordOf(values: RowValues): Record;

  /** Does what can be done before the transaction of a chunk, or has to be by other contexts, as `ItemTask.prepare` does. `records`: those
   *  of the rows that are records. */
  protected ahead?(
    context: RequestContext,
    records: readonly Record[],
    of: { shared: Shared; taskId: string; schema: CompiledSchema | undefined },
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
