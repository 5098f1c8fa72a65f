import { Injectable } from '@nestjs/common';
import type { ExportOrder } from '@scrip/contracts/operations';
import { type BusinessClock, isRefused, notFound, type Refusal, type RequestContext } from '@scrip/kernel';
import { InjectBusinessClock, InjectJobQueue, JobQueue } from '@scrip/service';
import type { Readable } from 'node:stream';
import type { OperationsRefusal } from '../operations.refusals';
import type { ExportListQuery } from './export.dto';
import { tellOfExport, toldOfExport } from './export-audit.job';
import { ExportFiles } from './export-files';
import { writeExport, writeExportEntry } from './export.job';
import { ExportOwners } from './export-owners';
import { type ExportName, ExportTable, type StoredExport } from './export.table';

/** Orders, reads and deletes exports. Source: reference 07 §12. */
@Injectable()
export class ExportHandlers {
  constructor(
    @InjectJobQueue('operations') private readonly queue: JobQueue,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly table: ExportTable,
    private readonly files: ExportFiles,
    private readonly owners: ExportOwners,
  ) {}

  /** Orders an export; repeated under its id, answers it as it is now. Refuses filters that do not fit, and one that is too
   *  many at a time. */
  async create(
    context: RequestContext,
    id: string,
    order: ExportOrder,
  ): Promise<StoredExport | Refusal<'invalid_payload' | 'exports_limit_exceeded'>> {
    const fits = await this.owners.of(order.exported_object).checkExport(context, { order });
    if (isRefused(fits)) return fits;
    const { project, channel, user, apiKey } = context;
    const name = { project_id: project.id, id };
    const created_at = this.clock.now(project).toISOString();
    const wanted = { ...name, order, channel, user_id: user?.id ?? apiKey?.id ?? null, created_at };
    return this.table.insert(wanted, async (manager, ahead) => {
      const { payload, ...options } = writeExportEntry(name, ahead);
      await this.queue.add(writeExport, payload, options, manager);
      await this.queue.add(tellOfExport, toldOfExport(context, name, order), {}, manager);
    });
  }

  /** Refuses `not_found`. */
  async find({ project }: RequestContext, id: string): Promise<StoredExport | OperationsRefusal> {
    return (await this.table.find({ project_id: project.id, id })) ?? notFound('export', id);
  }

  /** A page, newest first unless another order is asked for. Refuses `invalid_query_params`. */
  list(context: RequestContext, query: ExportListQuery): ReturnType<ExportTable['list']> {
    return this.table.list(context, query);
  }

  /** Deletes an export, its file, and what is under way for it. Refuses `not_found`. */
  async delete({ project }: RequestContext, id: string): Promise<OperationsRefusal | null> {
    const file = await this.table.delete({ project_id: project.id, id });
    if (file === undefined) return notFound('export', id);
    await this.files.delete([file]);
    return null;
  }

  /** Opens the file of an export. Refuses `not_found`, also for one that is not done. */
  async download(name: ExportName): Promise<Readable | OperationsRefusal> {
    const file = await this.table.fileOf(name);
    return (file && (await this.files.open(file))) ?? notFound('export', name.id);
  }
}
