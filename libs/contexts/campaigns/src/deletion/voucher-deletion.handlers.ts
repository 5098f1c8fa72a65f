import { Injectable } from '@nestjs/common';
import type { VoucherEvent } from '@scrip/contracts/campaigns';
import { type AggregateStore, type EventStore, InjectEventStore, type RowChange } from '@scrip/event-store';
import { type BusinessClock, isRefused, type Refusal, type RequestContext } from '@scrip/kernel';
import { InjectBusinessClock } from '@scrip/service';
import { type Deletion, entryOfDeletion, entryRemoved } from '@scrip/trash-bin';
import { Redeemables } from '../voucher/redeemables';
import { voucherAggregate } from '../voucher/voucher.aggregate';
import { voucherNotFound, type VoucherState } from '../voucher/voucher.decider';
import { deletedCodeCounted } from './deleted-codes.table';
import { decideVoucherDeletion, type DeleteVoucher, type PurgeVoucher } from './voucher-deletion.decider';

type RowsBeside = (events: readonly VoucherEvent[], before: VoucherState) => RowChange[];

/** Deletes vouchers, and purges those in the bin. */
@Injectable()
export class VoucherDeletion {
  private readonly vouchers: AggregateStore<VoucherState, VoucherEvent>;

  constructor(
    @InjectEventStore('campaigns') store: EventStore,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly redeemables: Redeemables,
  ) {
    this.vouchers = store.aggregate(voucherAggregate);
  }

  /** Deletes a voucher named by code or id, into the bin or for good. Refuses `not_found`. Source: reference 04 §5. */
  async delete(
    context: RequestContext,
    codeOrId: string,
    deletion: Deletion,
  ): Promise<Refusal<'not_found'> | null> {
    const found = await this.redeemables.find(context, codeOrId);
    if (isRefused(found)) return found;
    const { voucher, campaign } = found;
    const permanent = deletion.bin_entry_id === null;
    const command = { type: 'DeleteVoucher' as const, id: voucher.id, campaign, permanent };
    const end = await this.execute(context, { ...command, now: this.now(context) }, (events, before) => [
      ...deletedCodeCounted(context.project.id, before),
      ...events.flatMap((event) =>
        event.type === 'VoucherDeleted'
          ? entryOfDeletion(context, deletion, {
              created_at: event.data.deleted_at,
              resource_id: voucher.id,
              resource_type: 'voucher',
              resource_name: voucher.code,
              resource_parent_id: voucher.campaign_id,
            })
          : [],
      ),
    ]);
    // Another call deleted it since it was found: the answer names what this one asked for.
    return end && voucherNotFound(codeOrId);
  }

  /** Deletes a voucher in the bin for good, with the entry `bin_entry_id`. Refuses `not_found`. Throws `StaleRow` where the
   *  voucher has another entry by now. */
  purge(
    context: RequestContext,
    { id, bin_entry_id }: { id: string; bin_entry_id: string },
  ): Promise<Refusal<'not_found'> | null> {
    const command = { type: 'PurgeVoucher' as const, id, now: this.now(context) };
    return this.execute(context, command, () => [entryRemoved(context.project.id, bin_entry_id)]);
  }

  private async execute(
    context: RequestContext,
    command: DeleteVoucher | PurgeVoucher,
    rowsBeside: RowsBeside,
  ): Promise<Refusal<'not_found'> | null> {
    return this.vouchers.execute<null, 'not_found'>({
      context,
      streamId: command.id,
      decide: (state) => {
        const events = decideVoucherDeletion(command, state);
        return isRefused(events) ? events : { events, rows: rowsBeside(events, state!), answer: null };
      },
    });
  }

  private now({ project }: RequestContext): string {
    return this.clock.now(project).toISOString();
  }
}
