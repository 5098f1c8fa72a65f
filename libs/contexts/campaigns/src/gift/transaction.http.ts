import { Controller, Get, Param, Query } from '@nestjs/common';
import { ContextOf, Ctx, listOf, Operation, Refusals } from '@scrip/edge';
import { type RequestContext, isRefused } from '@scrip/kernel';
import { renderGiftTransaction } from '@scrip/wire/campaigns';
import { type CampaignsRefusal, campaignsRefusals } from '../campaigns.refusals';
import { CampaignTransactionListQuery, TransactionListQuery } from './transaction-list.query';
import { type TransactionPage, TransactionReads } from './transaction.reads';

const listed = (page: TransactionPage | CampaignsRefusal) => {
  if (isRefused(page)) return page;
  const { transactions, hasMore, total } = page;
  const last = transactions.at(-1);
  return listOf('data', transactions.map(renderGiftTransaction), {
    total,
    has_more: hasMore,
    ...(hasMore && last ? { more_starting_after: last.id } : {}),
  });
};

const answers = {
  200: {
    list: 'data',
    of: 'GiftTransactionResponse',
    counts: ['total', 'has_more', 'more_starting_after'],
  },
} as const;

/** What moved credits. Source: reference 04 §4.8, §6.2. */
@Controller('/v1')
@ContextOf('campaigns')
@Refusals(campaignsRefusals)
export class TransactionHttp {
  constructor(private readonly reads: TransactionReads) {}

  @Get('vouchers/:code/transactions')
  @Operation({
    id: 'listTransactionsOfVoucher',
    refuses: ['not_found'],
    summary: 'Lists what moved the balance of a voucher',
    description:
      'Newest first, unless another order is asked for. What a redemption took is listed once it is recorded; a discount voucher has no transactions.',
    answers,
  })
  async ofVoucher(
    @Ctx() context: RequestContext,
    @Param('code') code: string,
    @Query() query: TransactionListQuery,
  ) {
    return listed(await this.reads.ofVoucher(context, code, query));
  }

  @Get('campaigns/:campaignId/transactions')
  @Operation({
    id: 'listTransactionsOfCampaign',
    refuses: ['not_found'],
    summary: 'Lists what moved the balances of all cards of a campaign',
    description: 'As the transactions of a voucher. A campaign without balances has none.',
    answers,
  })
  async ofCampaign(
    @Ctx() context: RequestContext,
    @Param('campaignId') campaignId: string,
    @Query() query: CampaignTransactionListQuery,
  ) {
    return listed(await this.reads.ofCampaign(context, campaignId, query));
  }
}
