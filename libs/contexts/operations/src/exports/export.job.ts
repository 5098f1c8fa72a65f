import { Injectable, Logger } from '@nestjs/common';
import { type ExportOrder } from '@scrip/contracts/operations';
import { isRefused, type RequestContext } from '@scrip/kernel';
import {
  defineJob,
  InjectJobQueue,
  JobHandler,
  type JobEntry,
  JobQueue,
  type RunningJob,
} from '@scrip/service';
import { InternalContexts } from '@scrip/tasks';
import { createHash } from 'node:crypto';
import { ExportFiles } from './export-files';
import { ExportOwners } from './export-owners';
import { type Attempt, type ExportName, ExportTable } from './export.table';

/** Writes the file of an export. */
export const writeExport = defineJob<ExportName>('operations', 'write-export');

/** Exports written at a time, over all projects: each reads its owner's database as fast as that answers. */
const lanes = 4;
const attemptsMax = 6;
/** Before an export begins again, others of its lane have their turn, however often customers are erased. */
const againAfterMs = 1_000;

/** The exports of a project run one after another. `ahead`: how many of them have not ended; the first one of a project runs
 *  before the second one of another. */
export const writeExportEntry = (name: ExportName, ahead: number): JobEntry<ExportName> => ({
  payload: name,
  jobKey: `${name.project_id} ${name.id}`, // As `AbandonedExports` looks for it.
  queueName: `export-${createHash('sha256').update(name.project_id).digest().readUInt8() % lanes}`,
  maxAttempts: attemptsMax,
  priority: ahead,
});

/** Has the owner of the records write an export, under a file name of this execution, and ends the export with it. A process
 *  that is killed leaves a file that no export names; an export whose executions all end like that ends without a file.
 *  Source: ADR 95. */
@Injectable()
export class ExportJob {
  private readonly logger = new Logger(ExportJob.name);

  constructor(
    private readonly table: ExportTable,
    private readonly files: ExportFiles,
    private readonly owners: ExportOwners,
    private readonly contexts: InternalContexts,
    @InjectJobQueue('operations') private readonly queue: JobQueue,
  ) {}

  @JobHandler(writeExport)
  async run(name: ExportName, job: Pick<RunningJob, 'attempt' | 'maxAttempts'>): Promise<void> {
    try {
      const attempt = await this.table.begin(name);
      if (!attempt) return await this.endWornOut(name);
      await this.files.delete([attempt.left]);
      if (!(await this.carriedOut(name, attempt))) await this.beginAgain(name);
    } catch (error) {
      if (job.attempt < job.maxAttempts) throw error;
      this.logger.error(`the export ${name.id} is given up: ${String(error)}`);
      await this.table.fail(name);
    }
  }

  private async endWornOut(name: ExportName): Promise<void> {
    if (await this.table.failWornOut(name))
      this.logger.error(`the export ${name.id} is given up: its executions ended with their processes`);
  }

  private async beginAgain(name: ExportName): Promise<void> {
    const { payload, ...options } = writeExportEntry(name, 0);
    // Machine time: when a job runs.
    const runAt = new Date(Date.now() + againAfterMs);
    await this.queue.add(writeExport, payload, { ...options, runAt });
  }

  /** Whether the export has come to its end, by this or another execution. */
  private async carriedOut(name: ExportName, { order, file }: Attempt): Promise<boolean> {
    const context = await this.contexts.of(name.project_id);
    if (!context) {
      await this.table.delete(name);
      return true;
    }
    if (!(await this.written(context, { id: name.id, order, file }))) {
      await this.table.fail(name);
      return true;
    }
    const end = await this.table.finish(name, file.name);
    if (end !== 'done') await this.files.delete([file.name]);
    return end !== 'again';
  }

  /** False where the owner refuses what it took when the export was ordered: a field has gone since. */
  private async written(
    context: RequestContext,
    request: { id: string; order: ExportOrder; file: Attempt['file'] },
  ): Promise<boolean> {
    const answer = await this.owners.of(request.order.exported_object).writeExport(context, request);
    if (!isRefused(answer)) return true;
    this.logger.warn(`the export ${request.id} is refused: ${answer.details ?? answer.refused}`);
    return false;
  }
}
