import { Injectable } from '@nestjs/common';
import type { GiftTransaction, VoucherEvent } from '@scrip/contracts/campaigns';
import { type AggregateStore, type EventStore, InjectEventStore } from '@scrip/event-store';
import { type BusinessClock, type IdSource, type RequestContext, isRefused } from '@scrip/kernel';
import { InjectBusinessClock } from '@scrip/service';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { Redeemables } from '../voucher/redeemables';
import { voucherAggregate } from '../voucher/voucher.aggregate';
import type { VoucherState } from '../voucher/voucher.decider';
import { type AdjustBalance, type BalanceRefusalKey, decideBalance } from './balance.decider';
import type { AdjustBalanceBody } from './balance.dto';
import { transactionRows } from './transaction.table';

/** Changes balances by hand. Source: reference 04 §6.1. */
@Injectable()
export class AdjustBalances {
  private readonly vouchers: AggregateStore<VoucherState, VoucherEvent>;

  constructor(
    @InjectEventStore('campaigns') store: EventStore,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly redeemables: Redeemables,
  ) {
    this.vouchers = store.aggregate(voucherAggregate);
  }

  /** Decides on the voucher's stream, one change after another. Repeated under the same ids it answers the first
   *  transaction. Refuses as `decideBalance`. */
  async adjust(
    context: RequestContext,
    ids: IdSource,
    code: string,
    body: AdjustBalanceBody,
  ): Promise<GiftTransaction | CampaignsRefusal> {
    const found = await this.redeemables.find(context, code);
    if (isRefused(found)) return found;
    const voucherId = found.voucher.id;
    const command: AdjustBalance = {
      type: 'AdjustBalance',
      voucherId,
      transactionId: ids.next('vtx_', 'transaction'),
      amount: body.amount,
      source_id: body.source_id ?? null,
      reason: body.reason ?? null,
      source: context.channel,
      campaign: found.campaign,
      now: this.clock.now(context.project).toISOString(),
    };
    return this.vouchers.execute<GiftTransaction, BalanceRefusalKey>({
      context,
      streamId: voucherId,
      eventIds: ids,
      decide: (state) => {
        const events = decideBalance(command, state);
        if (isRefused(events)) return events;
        const [adjusted] = events;
        return {
          events,
          rows: transactionRows(context.project.id, events),
          answer: adjusted.data.transaction,
        };
      },
    });
  }
}
