import { Body, Controller, Get, Inject, Param, Put, Query } from '@nestjs/common';
import {
  ContextOf,
  Ctx,
  Ids,
  IsDateInput,
  IsText,
  listOf,
  Operation,
  pageQuery,
  Refusals,
} from '@scrip/edge';
import { type IdSource, type RequestContext, isRefused } from '@scrip/kernel';
import {
  type AssetIds,
  renderHeldRedeemable,
  renderVoucher,
  renderVoucherToBrowser,
  voucherForBrowsers,
} from '@scrip/wire/campaigns';
import { IsOptional } from 'class-validator';
import { ASSET_IDS } from '../assets/asset-ids.provider';
import { type CampaignsRefusal, campaignsRefusals } from '../campaigns.refusals';
import { EditVoucher } from '../voucher/editing/edit-voucher';
import { VoucherListQuery } from '../voucher/voucher-list.query';
import { VoucherReads } from '../voucher/voucher.reads';
import { RedeemablesOfCustomerQuery } from './redeemables-of-customer.query';
import { HolderReads } from './holder.reads';

/** Query of GET /client/v1/vouchers. */
class BrowserVouchersQuery extends pageQuery({
  highestPage: 99,
  orders: ['created_at', 'updated_at', 'code'],
  order: '-created_at',
}) {
  @IsText({ min: 1, max: 512, description: 'Id or source id of the customer.' }) customer: string;
}

/** Body of PUT /client/v1/vouchers/{code}. */
class ExpirationBody {
  @IsOptional() @IsDateInput() expiration_date?: string | null;
}

/** What customers hold, for servers and, where the project allows it, for browsers. Source: reference 02 §9, reference 07 §2.3. */
@Controller()
@ContextOf('campaigns')
@Refusals(campaignsRefusals)
export class HolderHttp {
  constructor(
    private readonly holders: HolderReads,
    private readonly vouchers: VoucherReads,
    private readonly editing: EditVoucher,
    @Inject(ASSET_IDS) private readonly assets: AssetIds,
  ) {}

  @Get('v1/customers/:customerId/redeemables')
  @Operation({
    id: 'listRedeemablesOfCustomer',
    refuses: ['not_found'],
    summary: 'Lists the codes that a customer holds',
    description:
      'Those that were published for the customer, and referral codes that the customer used. Oldest first.',
    links: { getVoucher: { code: '/data/0/redeemable_id' } },
    answers: {
      200: {
        list: 'data',
        of: 'HeldRedeemableResponse',
        counts: ['total', 'has_more', 'more_starting_after'],
      },
    },
  })
  async redeemables(
    @Ctx() context: RequestContext,
    @Param('customerId') customerId: string,
    @Query() query: RedeemablesOfCustomerQuery,
  ) {
    const page = await this.holders.ofCustomer(context, customerId, query);
    if (isRefused(page)) return page;
    const { held, next } = page;
    const data = held.map((one) =>
      renderHeldRedeemable(one, this.assets.of(context.project.id, one.voucher.code)),
    );
    return listOf('data', data, {
      total: data.length,
      has_more: next !== null,
      ...(next === null ? {} : { more_starting_after: next }),
    });
  }

  @Get('client/v1/vouchers')
  @Operation({
    id: 'listVouchersOfCustomer',
    refuses: [],
    summary: 'Lists the vouchers of a customer to a browser',
    answers: { 200: { list: 'vouchers', of: 'BrowserVoucherResponse', counts: ['total'] } },
  })
  async ofCustomer(@Ctx() context: RequestContext, @Query() query: BrowserVouchersQuery) {
    const found = await this.vouchers.list(context, Object.assign(new VoucherListQuery(), query));
    if (isRefused(found)) return found;
    return listOf('vouchers', found.vouchers.map(renderVoucherToBrowser), { total: found.total });
  }

  @Put('client/v1/vouchers/:code')
  @Operation({
    id: 'setVoucherExpiration',
    refuses: ['invalid_payload', 'invalid_voucher', 'not_found'],
    summary: 'Sets until when a voucher is valid, from a browser',
    example: { expiration_date: '2099-01-31T23:59:59.999Z' },
    answers: { 200: 'VoucherResponse' },
  })
  async setExpiration(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Param('code') codeOrId: string,
    @Body() { expiration_date }: ExpirationBody,
  ): Promise<object | CampaignsRefusal> {
    const body = expiration_date === undefined ? {} : { expiration_date };
    const voucher = await this.editing.update(context, ids, { codeOrId, body });
    if (isRefused(voucher)) return voucher;
    return renderVoucher(voucherForBrowsers(voucher), this.assets.of(context.project.id, voucher.code));
  }
}
