import { Controller, Delete, HttpCode, Param } from '@nestjs/common';
import { ContextOf, Ctx, Operation, Refusals } from '@scrip/edge';
import type { OwnerRefusal } from '@scrip/contracts/claims';
import { isRefused, type RequestContext } from '@scrip/kernel';
import { campaignsRefusals } from '../campaigns.refusals';
import { VoucherClaims } from '../claims/voucher-claims';
import { Redeemables } from '../voucher/redeemables';

/** Ending what a session holds of a voucher. Source: reference 03 §8. */
@Controller('/v1/vouchers')
@ContextOf('campaigns')
@Refusals(campaignsRefusals)
export class SessionHttp {
  constructor(
    private readonly redeemables: Redeemables,
    private readonly claims: VoucherClaims,
  ) {}

  @Delete(':code/sessions/:sessionKey')
  @HttpCode(204)
  @Operation({
    id: 'releaseValidationSession',
    refuses: ['not_found', 'multiple_requests'],
    summary: 'Ends what a session holds of a voucher',
    description:
      'Named by its code or its id. What the session holds of other vouchers stays. Refused with `multiple_requests` where ' +
      'a redemption that uses up what the session holds stays under way.',
    answers: { 204: null },
  })
  async release(
    @Ctx() context: RequestContext,
    @Param('code') code: string,
    @Param('sessionKey') session: string,
  ): Promise<OwnerRefusal | undefined> {
    const found = await this.redeemables.find(context, code);
    if (isRefused(found)) return found;
    const { voucher } = found;
    return (await this.claims.release(context, { voucherId: voucher.id, session })) ?? undefined;
  }
}
