import { Body, Controller, Get, HttpStatus, Param, Post, Query, Res } from '@nestjs/common';
import { ContextOf, Ctx, Ids, Operation, Refusals, listOf } from '@scrip/edge';
import { type IdSource, type RequestContext, isRefused } from '@scrip/kernel';
import type { FastifyReply } from 'fastify';
import { BinEntryReads } from '@scrip/trash-bin';
import { campaignsRefusals } from '../campaigns.refusals';
import { AddVouchers } from './add-vouchers';
import { ShownVouchers } from './shown-vouchers';
import { VoucherListQuery } from './voucher-list.query';
import { AddVoucherBody, AddVouchersBody, AddVouchersQuery } from './voucher.dto';
import { VoucherReads } from './voucher.reads';

@Controller('/v1')
@ContextOf('campaigns')
@Refusals(campaignsRefusals)
export class VoucherHttp {
  constructor(
    private readonly adding: AddVouchers,
    private readonly reads: VoucherReads,
    private readonly shown: ShownVouchers,
    private readonly bin: BinEntryReads,
  ) {}

  @Post('campaigns/:campaignId/vouchers')
  @Operation({
    id: 'addVouchers',
    refuses: [
      'invalid_campaign',
      'invalid_code_config',
      'metadata_validation_failed',
      'not_found',
      'duplicate_found',
    ],
    links: {
      getVoucher: { code: '/code' },
      adjustBalance: { code: '/code' },
      listTransactionsOfVoucher: { code: '/code' },
      exportTransactionsOfVoucher: { code: '/code' },
      listRedemptionsOfVoucher: { code: '/code' },
      validateVoucher: { code: '/code' },
      redeemVoucher: { code: '/code' },
      followRedemptionsOfVoucher: { code: '/code' },
      deleteVoucher: { code: '/code' },
      getAsyncAction: { asyncActionId: '/async_action_id' },
    },
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
      return isRefused(voucher) ? this.bin.telling(context, voucher) : this.shown.one(context, voucher);
    }
    const ordered = await this.adding.orderCodes(context, ids, { campaignId, count, body });
    if (!isRefused(ordered)) void reply.status(HttpStatus.ACCEPTED);
    return ordered;
  }

  @Post('campaigns/:campaignId/vouchers/:code')
  @Operation({
    id: 'addVoucher',
    refuses: ['invalid_campaign', 'metadata_validation_failed', 'not_found', 'duplicate_found'],
    pathExample: { code: 'SPRING-1' },
    links: {
      getVoucher: { code: '/code' },
      deleteVoucher: { code: '/code' },
      getQrCode: { id: '/assets/qr/id' },
      getBarcode: { id: '/assets/barcode/id' },
    },
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
    return isRefused(voucher) ? this.bin.telling(context, voucher) : this.shown.one(context, voucher);
  }

  @Get('vouchers/:code')
  @Operation({
    id: 'getVoucher',
    refuses: [],
    links: {
      deleteVoucher: { code: '/code' },
      updateVoucher: { code: '/code' },
      enableVoucher: { code: '/code' },
      disableVoucher: { code: '/code' },
      getQrCode: { id: '/assets/qr/id' },
      getBarcode: { id: '/assets/barcode/id' },
    },
    summary: 'Shows a voucher',
    description: 'Named by its code or its id.',
    answers: { 200: 'VoucherResponse' },
  })
  async get(@Ctx() context: RequestContext, @Param('code') code: string) {
    const voucher = await this.reads.find(context, code);
    return isRefused(voucher) ? voucher : this.shown.one(context, voucher);
  }

  @Get('vouchers')
  @Operation({
    id: 'listVouchers',
    refuses: [],
    links: { getVoucher: { code: '/vouchers/0/code' }, deleteVoucher: { code: '/vouchers/0/code' } },
    summary: 'Lists vouchers',
    description:
      'By pages, or further: `starting_after_id` goes on behind a voucher, in the order of creation.',
    answers: { 200: { list: 'vouchers', of: 'VoucherResponse', counts: ['total'] } },
  })
  async list(@Ctx() context: RequestContext, @Query() query: VoucherListQuery) {
    const found = await this.reads.list(context, query);
    if (isRefused(found)) return found;
    return listOf('vouchers', await this.shown.all(context, found.vouchers), { total: found.total });
  }
}
