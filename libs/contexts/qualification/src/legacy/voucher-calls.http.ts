import { Body, Controller, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ContextOf, Ctx, type IdempotencyRow, Ids, KeyRow, Operation, Refusals } from '@scrip/edge';
import { type IdSource, isRefused, type RequestContext } from '@scrip/kernel';
import {
  type QualificationRefusal,
  qualificationRefusals,
  voucherRedemptionRefusals,
  voucherValidationRefusals,
} from '../qualification.refusals';
import { RedeemHandlers } from '../redemption/redeem.handlers';
import { parseVoucherCall, singleExample, voucherRequest } from '../request/single-request';
import { redeemedStoredOrder, validatedStoredOrder } from '../rendering/stored-order-header';
import { onlyRedemption } from './only-redemption';
import { SingleRedemptionQuery } from './single-redemption.query';
import { SingleValidations } from './single-validations';

/** Calls for one voucher, in shapes of their own. Source: reference 03 §5.3, §6.3. */
@ContextOf('qualification')
@Refusals(qualificationRefusals)
@Controller('v1/vouchers/:code')
export class VoucherCallsHttp {
  constructor(
    private readonly validations: SingleValidations,
    private readonly redemptions: RedeemHandlers,
  ) {}

  @Post('validate')
  @HttpCode(200)
  @Operation({
    id: 'validateVoucher',
    refuses: voucherValidationRefusals,
    summary: 'Tells what one voucher would do, and holds it for a session where one is sent',
    description: 'A voucher that does not apply is told with 200 and `valid: false`, an unknown code too.',
    header: validatedStoredOrder,
    body: voucherRequest.schema,
    example: singleExample,
    answers: { 200: 'VoucherValidationResponse' },
  })
  validate(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Param('code') code: string,
    @Body() body: unknown,
  ): Promise<object | QualificationRefusal> | QualificationRefusal {
    const call = parseVoucherCall(body, code);
    return isRefused(call) ? call : this.validations.voucher(context, call, ids);
  }

  @Post('redemption')
  @HttpCode(200)
  @Operation({
    id: 'redeemVoucher',
    refuses: voucherRedemptionRefusals,
    links: { getRedemption: { redemptionId: '/id' }, rollBackRedemption: { redemptionId: '/id' } },
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
    @Param('code') code: string,
    @Query() query: SingleRedemptionQuery,
    @Body() body: unknown,
  ): Promise<object | QualificationRefusal> | QualificationRefusal {
    const call = parseVoucherCall(body, code, { ...query });
    return isRefused(call) ? call : this.redemptions.redeem(context, call.request, key, onlyRedemption);
  }
}
