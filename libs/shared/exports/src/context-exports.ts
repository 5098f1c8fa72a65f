import type { BeforeApplicationShutdown, OnModuleDestroy } from '@nestjs/common';
import { exportFileKeys, type ExportOrder, type ExportsPort } from '@scrip/contracts/operations';
import type { ContextName } from '@scrip/contracts/registry';
import { orderOf } from '@scrip/edge';
import { type CsvCell, csvOf, type FileStore, sealFile } from '@scrip/files';
import { isRefused, type RequestContext } from '@scrip/kernel';
import type { SqlStatement } from '@scrip/list-query';
import { type MetadataSchemas } from '@scrip/metadata';
import type { MetadataTypes } from '@scrip/metadata-schemas';
import { purposeRing, type ScripConfig } from '@scrip/service';
import { pipeline } from 'node:stream/promises';
import { cellOf, type Column, columnsOf } from './columns';
import type { ExportKind } from './export-kind';
import { orderedLines, type PlacedLine } from './ordered-lines';
import { snapshotRows } from './snapshot-rows';

/** What the exports of a context are made with. */
export interface ContextExportsOptions {
  context: ContextName;
  kinds: readonly ExportKind[];
  config: ScripConfig;
  files: FileStore;
  schemas: MetadataSchemas;
}

/** A file that is being written. */
interface FileOfKind {
  order: ExportOrder;
  kind: ExportKind;
  columns: readonly Column[];
  statement: SqlStatement;
  typeOf: MetadataTypes;
  counted: { rows: number };
}

const cellsOf = (columns: readonly Column[], item: never): CsvCell[] =>
  columns.map(({ of }) => cellOf(of(item)));

/** Carries out the exports of a context's records. */
export class ContextExports implements OnModuleDestroy, BeforeApplicationShutdown {
  private readonly ending = new AbortController();

  constructor(private readonly options: ContextExportsOptions) {}

  /** See `ExportsPort.checkExport`. */
  readonly check: ExportsPort['checkExport'] = async (context, { order }) => {
    const statement = this.statementOf(context, order, await this.typesOf(context, order));
    return isRefused(statement) ? statement : { fits: true };
  };

  /** See `ExportsPort.writeExport`. */
  readonly write: ExportsPort['writeExport'] = async (context, { id, order, file }) => {
    const typeOf = await this.typesOf(context, order);
    const statement = this.statementOf(context, order, typeOf);
    if (isRefused(statement)) return statement;
    const { config, files } = this.options;
    const kind = this.kindOf(order);
    const columns = columnsOf(kind, order.parameters, await this.definedKeys(context, kind, order));
    const counted = { rows: 0 };
    const { purpose, boundTo } = exportFileKeys;
    const key = purposeRing(config, purpose).unwrap(file.wrapped_key, boundTo(context.project.id, id));
    const sealed = sealFile(key);
    const lines = csvOf(this.lines(context, { order, kind, columns, statement, typeOf, counted }));
    // Whichever end fails takes the other one along, and the store is told why.
    const [stored] = await Promise.allSettled([files.write(file.name, sealed), pipeline(lines, sealed)]);
    if (stored.status === 'rejected') throw stored.reason;
    return counted;
  };

  onModuleDestroy(): void {
    this.ending.abort(new Error('the process ends'));
  }

  beforeApplicationShutdown(): void {
    this.ending.abort(new Error('the process ends'));
  }

  private async *lines(context: RequestContext, file: FileOfKind): AsyncGenerator<CsvCell[][]> {
    const { order, kind, columns } = file;
    yield [columns.map(({ label }) => label)];
    const { field, descending } = orderOf(order.parameters.order);
    if (kind.sealedOrders?.includes(field)) {
      const { config, context: name } = this.options;
      const pages = this.placed(context, file, field);
      yield* orderedLines(config, name, pages, { descending, signal: this.ending.signal });
      return;
    }
    for await (const items of this.items(context, file)) yield items.map((item) => cellsOf(columns, item));
  }

  private async *placed(
    context: RequestContext,
    file: FileOfKind,
    field: string,
  ): AsyncGenerator<PlacedLine[]> {
    const { kind, columns } = file;
    const textAt = (name: string, item: never): string => String(cellOf(kind.cells[name]?.(item)) ?? '');
    for await (const items of this.items(context, file))
      yield items.map((item) => ({
        value: textAt(field, item),
        id: textAt('id', item),
        cells: cellsOf(columns, item),
      }));
  }

  /** The records of the file, opened, as the statement has them. */
  private async *items(
    context: RequestContext,
    { order, kind, statement, typeOf, counted }: FileOfKind,
  ): AsyncGenerator<never[]> {
    const { config, context: name } = this.options;
    for await (const rows of snapshotRows(config, name, statement, this.ending.signal)) {
      const items = (await kind.open(context, rows, order.parameters, typeOf)) as never[];
      counted.rows += items.length;
      yield items;
    }
  }

  private statementOf(context: RequestContext, order: ExportOrder, typeOf: MetadataTypes) {
    return this.kindOf(order).statement(context, order.parameters, typeOf);
  }

  private async typesOf(context: RequestContext, order: ExportOrder): Promise<MetadataTypes> {
    const { metadataSchema } = this.kindOf(order);
    if (metadataSchema === null) return () => undefined;
    return this.options.schemas.typesOf(context, metadataSchema, order.parameters.filters);
  }

  private kindOf({ exported_object }: ExportOrder): ExportKind {
    const kind = this.options.kinds.find((known) => known.kind === exported_object);
    if (!kind) throw new Error(`${this.options.context} does not export ${exported_object}`);
    return kind;
  }

  private async definedKeys(
    context: RequestContext,
    { metadataSchema }: ExportKind,
    { parameters }: ExportOrder,
  ): Promise<readonly string[]> {
    if (metadataSchema === null || !parameters.fields.includes('metadata')) return [];
    return (await this.options.schemas.of(context, metadataSchema))?.keys ?? [];
  }
}
