import { Body, Controller, Param, Post, Put } from '@nestjs/common';
import type { VoucherSnapshot } from '@scrip/contracts/campaigns';
import { ContextOf, Ctx, Ids, Operation, Refusals } from '@scrip/edge';
import { type IdSource, type RequestContext, isRefused } from '@scrip/kernel';
import { BinEntryReads } from '@scrip/trash-bin';
import { type CampaignsRefusal, campaignsRefusals } from '../campaigns.refusals';
import { CurrentCategories } from '../categories/current-categories';
import { CreateVoucher } from './creating/create-voucher';
import { CreateCodedVoucherBody, CreateVoucherBody } from './creating/create-voucher.dto';
import { EditVoucher } from './editing/edit-voucher';
import { UpdateVoucherBody } from './editing/update-voucher.dto';
import { ShownVouchers } from './shown-vouchers';

const example = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 500 } };

/** Creating and changing single vouchers. Source: reference 04 §5. */
@Controller('/v1/vouchers')
@ContextOf('campaigns')
@Refusals(campaignsRefusals)
export class VoucherChangesHttp {
  constructor(
    private readonly creation: CreateVoucher,
    private readonly editing: EditVoucher,
    private readonly categories: CurrentCategories,
    private readonly answers: ShownVouchers,
    private readonly bin: BinEntryReads,
  ) {}

  @Post()
  @Operation({
    id: 'createVoucher',
    refuses: [
      'invalid_voucher',
      'invalid_campaign',
      'invalid_code_config',
      'metadata_validation_failed',
      'not_found',
      'duplicate_found',
    ],
    links: {
      getVoucher: { code: '/code' },
      updateVoucher: { code: '/code' },
      disableVoucher: { code: '/code' },
      getQrCode: { id: '/assets/qr/id' },
      getBarcode: { id: '/assets/barcode/id' },
    },
    summary: 'Creates a voucher',
    description: 'Its code is the given one, or a random one. It belongs to a campaign where one is named.',
    example,
    answers: { 200: 'VoucherResponse' },
  })
  async create(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() body: CreateCodedVoucherBody) {
    const created = await this.creation.create(context, ids, body);
    return this.rendered(context, await this.bin.telling(context, created));
  }

  @Post(':code')
  @Operation({
    id: 'createVoucherWithCode',
    refuses: [
      'invalid_voucher',
      'invalid_campaign',
      'metadata_validation_failed',
      'not_found',
      'duplicate_found',
    ],
    pathExample: { code: 'SUMMER-1' },
    links: { getVoucher: { code: '/code' }, updateVoucher: { code: '/code' } },
    summary: 'Creates a voucher with a given code',
    example,
    answers: { 200: 'VoucherResponse' },
  })
  async createCode(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Param('code') code: string,
    @Body() body: CreateVoucherBody,
  ) {
    const created = await this.creation.createCode(context, ids, { code, body });
    return this.rendered(context, await this.bin.telling(context, created));
  }

  @Put(':code')
  @Operation({
    id: 'updateVoucher',
    refuses: ['invalid_voucher', 'metadata_validation_failed', 'not_found'],
    links: { getVoucher: { code: '/code' } },
    summary: 'Changes a voucher',
    description: 'Absent fields stay, null clears; metadata are merged by key.',
    example: { active: true, metadata: { season: 'summer' } },
    answers: { 200: 'VoucherResponse' },
  })
  async update(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Param('code') codeOrId: string,
    @Body() body: UpdateVoucherBody,
  ) {
    return this.rendered(context, await this.editing.update(context, ids, { codeOrId, body }));
  }

  @Post(':code/enable')
  @Operation({
    id: 'enableVoucher',
    refuses: ['not_found'],
    links: { getVoucher: { code: '/code' }, disableVoucher: { code: '/code' } },
    summary: 'Enables a voucher',
    answers: { 200: 'VoucherResponse' },
  })
  async enable(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Param('code') codeOrId: string) {
    return this.rendered(context, await this.editing.switch(context, ids, { codeOrId, active: true }));
  }

  @Post(':code/disable')
  @Operation({
    id: 'disableVoucher',
    refuses: ['not_found'],
    links: { getVoucher: { code: '/code' }, enableVoucher: { code: '/code' } },
    summary: 'Disables a voucher',
    description: 'It cannot be validated or redeemed until it is enabled.',
    answers: { 200: 'VoucherResponse' },
  })
  async disable(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Param('code') codeOrId: string) {
    return this.rendered(context, await this.editing.switch(context, ids, { codeOrId, active: false }));
  }

  private async rendered(context: RequestContext, voucher: VoucherSnapshot | CampaignsRefusal) {
    if (isRefused(voucher)) return voucher;
    const [shown = voucher] = await this.categories.shown(context.project.id, [voucher]);
    return this.answers.one(context, shown);
  }
}
