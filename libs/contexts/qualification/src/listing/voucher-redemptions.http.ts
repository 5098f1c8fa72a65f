import { Controller, Get, Param, Query } from '@nestjs/common';
import { ContextOf, Ctx, Operation, Refusals } from '@scrip/edge';
import type { RequestContext } from '@scrip/kernel';
import { type QualificationRefusal, qualificationRefusals } from '../qualification.refusals';
import { RedemptionListHandlers } from './redemption-list.handlers';
import { VoucherRedemptionsQuery } from './redemption-list.query';
import type { VoucherRedemptionsResponse } from './voucher-redemptions.wire';

const listing = {
  refuses: ['not_found'],
  links: { getRedemption: { redemptionId: '/redemption_entries/0/id' } },
  answers: { 200: 'VoucherRedemptionsResponse' },
} satisfies Partial<Parameters<typeof Operation>[0]>;

/** The history of one voucher. Source: reference 03 §10. */
@ContextOf('qualification')
@Refusals(qualificationRefusals)
@Controller('v1/vouchers/:code')
export class VoucherRedemptionsHttp {
  constructor(private readonly handlers: RedemptionListHandlers) {}

  @Get('redemption')
  @Operation({
    ...listing,
    id: 'listRedemptionsOfVoucher',
    summary: 'Lists the redemptions of a voucher, failed ones and rollbacks',
    description: 'Newest first. `redeemed_quantity` counts what was not rolled back.',
  })
  list(
    @Ctx() context: RequestContext,
    @Param('code') code: string,
    @Query() query: VoucherRedemptionsQuery,
  ): Promise<VoucherRedemptionsResponse | QualificationRefusal> {
    return this.handlers.ofVoucher(context, code, query);
  }

  @Get('redemptions')
  @Operation({
    ...listing,
    id: 'followRedemptionsOfVoucher',
    summary: 'Lists the redemptions of a voucher, at the address that `redemption.url` of vouchers names',
    description: 'Answers what `/redemption` does.',
  })
  follow(
    @Ctx() context: RequestContext,
    @Param('code') code: string,
    @Query() query: VoucherRedemptionsQuery,
  ): Promise<VoucherRedemptionsResponse | QualificationRefusal> {
    return this.handlers.ofVoucher(context, code, query);
  }
}
