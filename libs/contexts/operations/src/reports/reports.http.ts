import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ContextOf, IsText, Operation } from '@scrip/edge';
import { isRefused, notFound, refuse } from '@scrip/kernel';
import { InternalContexts } from '@scrip/tasks';
import { IsOptional } from 'class-validator';
import type { FastifyReply } from 'fastify';
import type { Readable } from 'node:stream';
import { TaskOwners } from '../async-actions/task-owners';
import type { OperationsRefusal } from '../operations.refusals';
import { reportCsv } from './report-csv';
import { ReportLinks } from '../links/links.providers';

/** Query of a report. */
export class ReportQuery {
  @IsOptional()
  @IsText({ max: 4_096, description: 'From the link in the result of the task.' })
  token?: string;
}

/** What became of each input of a task; the token is the only credential. Source: reference 07 §10, §12. */
@Controller('/v1/task-results')
@ContextOf('operations')
export class ReportsHttp {
  constructor(
    private readonly links: ReportLinks,
    private readonly owners: TaskOwners,
    private readonly contexts: InternalContexts,
  ) {}

  @Get(':id')
  @Operation({
    id: 'downloadTaskResult',
    refuses: ['unauthorized', 'not_found'],
    summary: 'Downloads the report of a background task',
    description:
      'Lines of CSV: what identifies an input, of a file its row, whether it was found, whether it was updated, and its error.',
    answers: { 200: { media: { 'text/plain': { type: 'string' } } } },
  })
  async download(
    @Param('id') id: string,
    @Query() { token = '' }: ReportQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable | OperationsRefusal> {
    const opened = this.links.open(id, token);
    const owner = opened && this.owners.of(id);
    const context = opened && (await this.contexts.of(opened.projectId));
    if (!owner || !context) return refuse('unauthorized', 'The link is not valid, or not any more');
    const page = async (from: number) => owner.readTaskReport(context, { id, from });
    const first = await page(0);
    if (isRefused(first)) return notFound('task_result', id);
    void reply
      .header('content-type', 'text/plain; charset=utf-8')
      .header('content-disposition', `attachment; filename="${id}.csv"`)
      .header('cache-control', 'private, no-store');
    return reportCsv(first, async (from) => {
      const next = await page(from);
      if (isRefused(next)) throw new Error(`the report of ${id} ended while it was read`);
      return next;
    });
  }
}
