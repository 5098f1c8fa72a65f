import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ContextOf, Ctx, type IdempotencyRow, KeyRow, Operation, Refusals } from '@scrip/edge';
import { isRefused, randomIds, type RequestContext } from '@scrip/kernel';
import {
  browserVoucherRedemptionRefusals,
  browserVoucherValidationRefusals,
  type QualificationRefusal,
  qualificationRefusals,
} from '../qualification.refusals';
import { RedeemHandlers } from '../redemption/redeem.handlers';
import { parseVoucherCall, singleExample, voucherRequest } from '../request/single-request';
import { redeemedStoredOrder } from '../rendering/stored-order-header';
import {
  BrowserRedemptionQuery,
  BrowserValidationQuery,
  codeOf,
  readBrowserValidation,
} from './browser-voucher.query';
import { onlyRedemption } from './only-redemption';
import { SingleValidations } from './single-validations';

/** The calls for one voucher, from browsers. Source: reference 03 §5.3, §6.3, reference 07 §2.3. */
@ContextOf('qualification')
@Refusals(qualificationRefusals)
@Controller('client/v1')
export class BrowserVouchersHttp {
  constructor(
    private readonly validations: SingleValidations,
    private readonly redemptions: RedeemHandlers,
  ) {}

  @Get('validate')
  @Operation({
    id: 'validateVoucherByQuery',
    refuses: browserVoucherValidationRefusals,
    summary: 'Tells what one voucher would do, and changes nothing',
    description:
      'By a query: `item[0][product_id]=…`, `customer=…` or `customer[metadata][vip]=…`. It names no credits: a gift card pays as much ' +
      'as it can. A voucher that does not apply is told with 200 and `valid: false`, an unknown code too.',
    answers: { 200: 'VoucherValidationResponse' },
  })
  validate(
    @Ctx() context: RequestContext,
    @Query() query: BrowserValidationQuery,
  ): Promise<object | QualificationRefusal> | QualificationRefusal {
    const call = readBrowserValidation(query);
    return isRefused(call) ? call : this.validations.voucher(context, call, randomIds);
  }

  @Post('redeem')
  @HttpCode(200)
  @Operation({
    id: 'redeemVoucherByQuery',
    refuses: browserVoucherRedemptionRefusals,
    summary: 'Redeems one voucher',
    description: 'Send an `Idempotency-Key`, so that a repetition after a lost answer redeems nothing again.',
    header: redeemedStoredOrder,
    body: voucherRequest.schema,
    example: singleExample,
    answers: { 200: 'RedemptionEntryResponse' },
  })
  redeem(
    @Ctx() context: RequestContext,
    @KeyRow() key: IdempotencyRow | null,
    @Query() query: BrowserRedemptionQuery,
    @Body() body: unknown,
  ): Promise<object | QualificationRefusal> | QualificationRefusal {
    const named = codeOf(query);
    if (isRefused(named)) return named;
    const { tracking_id } = query;
    const call = parseVoucherCall(body, named.code, tracking_id === undefined ? {} : { tracking_id });
    return isRefused(call) ? call : this.redemptions.redeem(context, call.request, key, onlyRedemption);
  }
}
