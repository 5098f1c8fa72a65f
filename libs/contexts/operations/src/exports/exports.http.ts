import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import type { ExportedObject } from '@scrip/contracts/operations';
import {
  ContextOf,
  Ctx,
  CtxOrNull,
  Ids,
  listOf,
  Operation,
  type RefusalTableOf,
  Refusals,
} from '@scrip/edge';
import { type IdSource, isRefused, refuse, type RequestContext } from '@scrip/kernel';
import { InternalContexts } from '@scrip/tasks';
import type { FastifyReply } from 'fastify';
import type { Readable } from 'node:stream';
import { ExportLinks } from '../links/links.providers';
import type { OperationsRefusal } from '../operations.refusals';
import {
  CreateExportBody,
  ExportListQuery,
  ExportOrdersBody,
  ExportTransactionsBody,
  type ExportParametersBody,
  ExportQuery,
} from './export.dto';
import { ExportHandlers } from './export.handlers';
import { exportOrderOf } from './export-request';
import { ExportedTransactions, type TransactionsOf } from './exported-transactions';
import type { StoredExport } from './export.table';
import { renderExport } from './export.wire';

const exportRefusals = {
  invalid_export_fields: { status: 400, message: 'Invalid Export' },
  exports_limit_exceeded: { status: 400, message: 'Exports limit exceeded' },
} satisfies RefusalTableOf<'invalid_export_fields' | 'exports_limit_exceeded'>;

const linksTo = (pointer: string) => ({
  getExport: { exportId: pointer },
  deleteExport: { exportId: pointer },
});

/** Exports of records as files. Source: reference 07 §12. */
@Controller('/v1')
@ContextOf('operations')
@Refusals(exportRefusals)
export class ExportsHttp {
  constructor(
    private readonly exports: ExportHandlers,
    private readonly links: ExportLinks,
    private readonly transactions: ExportedTransactions,
    private readonly contexts: InternalContexts,
  ) {}

  @Post('exports')
  @HttpCode(200)
  @Operation({
    id: 'createExport',
    refuses: ['invalid_payload', 'invalid_export_fields', 'exports_limit_exceeded'],
    links: linksTo('/id'),
    summary: 'Orders an export of records',
    description:
      'The records as they are when the export is carried out, as a file of CSV. GET of the export has a link to it once it is `DONE`.',
    example: {
      exported_object: 'customer',
      parameters: { fields: ['id', 'source_id', 'email', 'metadata'], order: 'created_at' },
    },
    answers: { 200: 'ExportResponse' },
  })
  create(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() body: CreateExportBody) {
    return this.ordered(context, ids, body.exported_object, body.parameters);
  }

  @Post('orders/export')
  @HttpCode(200)
  @Operation({
    id: 'exportOrders',
    refuses: ['invalid_payload', 'invalid_export_fields', 'exports_limit_exceeded'],
    links: linksTo('/id'),
    summary: 'Orders an export of orders',
    description: 'As POST /v1/exports with `exported_object` `order`.',
    example: {
      parameters: {
        fields: ['id', 'status', 'total_amount'],
        filters: { status: { conditions: { $is: ['PAID'] } } },
      },
    },
    answers: { 200: 'ExportResponse' },
  })
  createOfOrders(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() body: ExportOrdersBody) {
    return this.ordered(context, ids, 'order', body.parameters);
  }

  @Post('vouchers/:code/transactions/export')
  @HttpCode(200)
  @Operation({
    id: 'exportTransactionsOfVoucher',
    refuses: ['not_found', 'invalid_payload', 'invalid_export_fields', 'exports_limit_exceeded'],
    pathExample: { code: 'GIFT-1' },
    links: linksTo('/id'),
    summary: 'Orders an export of what moved the balance of a voucher',
    description:
      'As POST /v1/exports with `exported_object` `voucher_transactions`, of this voucher whatever the filters say.',
    example: { parameters: { order: 'created_at', fields: ['id', 'type', 'amount', 'balance'] } },
    answers: { 200: 'ExportResponse' },
  })
  async createOfVoucher(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Param('code') code: string,
    @Body() body: ExportTransactionsBody,
  ) {
    const of = await this.transactions.ofVoucher(context, code);
    return isRefused(of) ? of : this.ordered(context, ids, 'voucher_transactions', body.parameters, of);
  }

  @Post('campaigns/:campaignId/transactions/export')
  @HttpCode(200)
  @Operation({
    id: 'exportTransactionsOfCampaign',
    refuses: ['not_found', 'forbidden', 'invalid_payload', 'invalid_export_fields', 'exports_limit_exceeded'],
    pathExample: { campaignId: 'Gift card' },
    links: linksTo('/id'),
    summary: 'Orders an export of what moved the balances of all cards of a campaign',
    description:
      'As the export of a voucher. Campaigns other than those of gift and loyalty cards have none.',
    example: { parameters: { order: 'created_at', fields: ['id', 'voucher_id', 'type', 'amount'] } },
    answers: { 200: 'ExportResponse' },
  })
  async createOfCampaign(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Param('campaignId') campaignId: string,
    @Body() body: ExportTransactionsBody,
  ) {
    const of = await this.transactions.ofCampaign(context, campaignId);
    return isRefused(of) ? of : this.ordered(context, ids, 'voucher_transactions', body.parameters, of);
  }

  @Get('exports')
  @Operation({
    id: 'listExports',
    refuses: ['invalid_query_params'],
    links: linksTo('/exports/0/id'),
    summary: 'Lists exports',
    description:
      'By pages, or with the id of the last export of a page as `starting_after_id` of the next; `total` counts all of them.',
    answers: { 200: { list: 'exports', of: 'ExportResponse', counts: ['total'] } },
  })
  async list(@Ctx() context: RequestContext, @Query() query: ExportListQuery) {
    const page = await this.exports.list(context, query);
    if (isRefused(page)) return page;
    const { exports, total } = page;
    return listOf(
      'exports',
      exports.map((one) => this.rendered(one)),
      { total },
    );
  }

  @Get('exports/:exportId')
  @Operation({
    id: 'getExport',
    refuses: ['not_found', 'unauthorized'],
    links: linksTo('/id'),
    summary: 'Shows an export, or downloads its file',
    description:
      'Each call makes a link that works for an hour. With the `token` of a link the answer is the file, and no other credentials ' +
      'are looked at: lines of CSV in UTF-8, the first with the names of the columns, times in UTC, amounts in minor units.',
    answers: { 200: { media: { 'application/json': 'ExportResponse', 'text/plain': { type: 'string' } } } },
  })
  async get(
    @CtxOrNull() context: RequestContext | null,
    @Param('exportId') id: string,
    @Query() { token }: ExportQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    if (token !== undefined || !context) return this.download(id, token ?? '', reply);
    const found = await this.exports.find(context, id);
    return isRefused(found) ? found : this.rendered(found);
  }

  @Delete('exports/:exportId')
  @HttpCode(204)
  @Operation({
    id: 'deleteExport',
    refuses: ['not_found'],
    summary: 'Deletes an export and its file',
    answers: { 204: null },
  })
  async delete(
    @Ctx() context: RequestContext,
    @Param('exportId') id: string,
  ): Promise<OperationsRefusal | undefined> {
    return (await this.exports.delete(context, id)) ?? undefined;
  }

  private async ordered(
    context: RequestContext,
    ids: IdSource,
    kind: ExportedObject,
    parameters: ExportParametersBody | null | undefined,
    of?: TransactionsOf,
  ) {
    const order = exportOrderOf(kind, parameters ?? {}, of);
    if (isRefused(order)) return order;
    const ordered = await this.exports.create(context, ids.next('exp_', 'export'), order);
    return isRefused(ordered) ? ordered : this.rendered(ordered);
  }

  private async download(
    id: string,
    token: string,
    reply: FastifyReply,
  ): Promise<Readable | OperationsRefusal> {
    const opened = this.links.open(id, token);
    if (!opened || !(await this.contexts.of(opened.projectId)))
      return refuse('unauthorized', 'The link is not valid, or not any more');
    const file = await this.exports.download({ project_id: opened.projectId, id });
    if (isRefused(file)) return file;
    void reply
      .header('content-type', 'text/plain; charset=utf-8')
      .header('content-disposition', `attachment; filename="${id}.csv"`)
      .header('cache-control', 'private, no-store');
    return file;
  }

  private rendered(one: StoredExport) {
    return renderExport(one, () => this.links.of({ projectId: one.project_id, id: one.id }));
  }
}
