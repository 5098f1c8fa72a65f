import { Body, Controller, Get, HttpStatus, Inject, Param, Post, Query, Res } from '@nestjs/common';
import { type AssetIds, type VoucherSnapshot, renderVoucher } from '@scrip/contracts';
import { ContextOf, Ctx, Ids, Operation, Refusals, listOf } from '@scrip/edge';
import { type IdSource, type RequestContext, isRefused } from '@scrip/kernel';
import type { FastifyReply } from 'fastify';
import { ASSET_IDS } from '../assets/asset-ids.provider';
import { campaignRefusals } from '../campaign/campaign.http';
import { AddVouchers } from './add-vouchers';
import { VoucherListQuery } from './voucher-list.query';
import { AddVoucherBody, AddVouchersBody, AddVouchersQuery } from './voucher.dto';
import { VoucherReads } from './voucher.reads';

@Controller('/v1')
@ContextOf('campaigns')
@Refusals(campaignRefusals)
export class VoucherHttp {
  constructor(
    private readonly adding: AddVouchers,
    private readonly reads: VoucherReads,
    @Inject(ASSET_IDS) private readonly assets: AssetIds,
  ) {}

  @Post('campaigns/:campaignId/vouchers')
  @Operation({
    id: 'addVouchers',
    summary: 'Adds codes to a campaign',
    description: 'One code is made at once and answered with 200; more are made by a background task, 202.',
    example: { metadata: { season: 'spring' } },
    answers: { 200: 'VoucherResponse', 202: 'OrderedVouchersResponse' },
  })
  async add(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Param('campaignId') campaignId: string,
    @Query() { vouchers_count: count }: AddVouchersQuery,
    @Body() body: AddVouchersBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    if (count === 1) {
      const voucher = await this.adding.addOne(context, ids, { campaignId, body });
      return isRefused(voucher) ? voucher : this.rendered(context, voucher);
    }
    const ordered = await this.adding.order(context, ids, { campaignId, count, body });
    if (!isRefused(ordered)) void reply.status(HttpStatus.ACCEPTED);
    return ordered;
  }

  @Post('campaigns/:campaignId/vouchers/:code')
  @Operation({
    id: 'addVoucher',
    summary: 'Adds a given code to a campaign',
    example: { metadata: { season: 'spring' } },
    answers: { 200: 'VoucherResponse' },
  })
  async addCode(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Param('campaignId') campaignId: string,
    @Param('code') code: string,
    @Body() body: AddVoucherBody,
  ) {
    const voucher = await this.adding.addCode(context, ids, { campaignId, code, body });
    return isRefused(voucher) ? voucher : this.rendered(context, voucher);
  }

  @Get('vouchers/:code')
  @Operation({
    id: 'getVoucher',
    summary: 'Shows a voucher',
    description: 'Named by its code or its id.',
    answers: { 200: 'VoucherResponse' },
  })
  async get(@Ctx() context: RequestContext, @Param('code') code: string) {
    const voucher = await this.reads.find(context, code);
    return isRefused(voucher) ? voucher : this.rendered(context, voucher);
  }

  @Get('vouchers')
  @Operation({
    id: 'listVouchers',
    summary: 'Lists vouchers',
    answers: { 200: { list: 'vouchers', of: 'VoucherResponse', counts: ['total'] } },
  })
  async list(@Ctx() context: RequestContext, @Query() query: VoucherListQuery) {
    const found = await this.reads.list(context, query);
    if (isRefused(found)) return found;
    return listOf(
      'vouchers',
      found.vouchers.map((voucher) => this.rendered(context, voucher)),
      { total: found.total },
    );
  }

  private rendered({ project }: RequestContext, voucher: VoucherSnapshot) {
    return renderVoucher(voucher, this.assets.of(project.id, voucher.code));
  }
}
