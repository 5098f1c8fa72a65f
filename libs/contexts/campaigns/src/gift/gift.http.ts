import { Body, Controller, Param, Post } from '@nestjs/common';
import { ContextOf, Ctx, Ids, Operation, Refusals } from '@scrip/edge';
import { type IdSource, type RequestContext, isRefused } from '@scrip/kernel';
import { renderBalance } from '@scrip/wire/campaigns';
import { campaignsRefusals } from '../campaigns.refusals';
import { AdjustBalances } from './adjust-balance';
import { AdjustBalanceBody } from './balance.dto';

/** Balances of gift cards. Source: reference 04 §6. */
@Controller('/v1')
@ContextOf('campaigns')
@Refusals(campaignsRefusals)
export class GiftHttp {
  constructor(private readonly balances: AdjustBalances) {}

  @Post('vouchers/:code/balance')
  @Operation({
    id: 'adjustBalance',
    refuses: ['not_found', 'invalid_add_balance_params', 'not_published', 'gift_amount_exceeded'],
    pathExample: { code: 'GIFT-1' },
    links: { listTransactionsOfVoucher: { code: '/related_object/id' } },
    summary: 'Adds credits to a gift card, or takes some away',
    description: 'A negative amount takes credits away. The balance never goes below 0.',
    example: { amount: 2_500, source_id: 'refill-1', reason: 'Birthday' },
    answers: { 200: 'BalanceResponse' },
  })
  async adjust(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Param('code') code: string,
    @Body() body: AdjustBalanceBody,
  ) {
    const transaction = await this.balances.adjust(context, ids, code, body);
    return isRefused(transaction) ? transaction : renderBalance(transaction);
  }
}
