import { Injectable } from '@nestjs/common';
import type { GiftTransaction } from '@scrip/contracts/campaigns';
import { pageOf } from '@scrip/edge';
import { type RequestContext, isRefused } from '@scrip/kernel';
import { InjectListReader, type ListReader } from '@scrip/service';
import { CampaignReads } from '../campaign/campaign.reads';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { Redeemables } from '../voucher/redeemables';
import {
  type CampaignTransactionListQuery,
  type TransactionListQuery,
  type TransactionsOf,
  transactionListStatements,
} from './transaction-list.query';
import { type TransactionRow, transactionOf } from './transaction.table';

/** A page of transactions. */
export interface TransactionPage {
  transactions: GiftTransaction[];
  hasMore: boolean;
  /** All that match, as far as lists count. */
  total: number;
}

/** Reads transactions. */
@Injectable()
export class TransactionReads {
  constructor(
    @InjectListReader('campaigns') private readonly lists: ListReader,
    private readonly redeemables: Redeemables,
    private readonly campaigns: CampaignReads,
  ) {}

  /** Of a voucher named by id or code; one without a balance has none. Refuses `not_found`, and filters whose values do not
   *  fit. Source: reference 04 §6.2. */
  async ofVoucher(
    context: RequestContext,
    codeOrId: string,
    query: TransactionListQuery,
  ): Promise<TransactionPage | CampaignsRefusal> {
    const found = await this.redeemables.find(context, codeOrId);
    return isRefused(found) ? found : this.page(context, { voucher_id: found.voucher.id }, query);
  }

  /** Of all cards of a campaign named by id or name; one of another kind has none. Refuses as `ofVoucher`. Source: reference
   *  04 §4.8. */
  async ofCampaign(
    context: RequestContext,
    idOrName: string,
    query: CampaignTransactionListQuery,
  ): Promise<TransactionPage | CampaignsRefusal> {
    const found = await this.campaigns.find(context, idOrName);
    return isRefused(found) ? found : this.page(context, { campaign_id: found.id }, query);
  }

  private async page(
    context: RequestContext,
    of: TransactionsOf,
    query: TransactionListQuery,
  ): Promise<TransactionPage | CampaignsRefusal> {
    const statements = transactionListStatements(context.project.id, of, query);
    if (isRefused(statements)) return statements;
    const rows = await this.lists.rows<TransactionRow>(context, statements.page);
    const { items, hasMore } = pageOf(rows, query.limit);
    const transactions = items.map(transactionOf);
    if (!hasMore && query.starting_after_id === undefined)
      return { transactions, hasMore, total: transactions.length };
    const [counted] = await this.lists.rows<{ total: string }>(context, statements.count);
    return { transactions, hasMore, total: Number(counted?.total ?? 0) };
  }
}
