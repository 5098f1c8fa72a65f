import { Injectable } from '@nestjs/common';
import { StaleRow } from '@scrip/event-store';
import { isRefused, notFound, type Refusal, type RequestContext } from '@scrip/kernel';
import { BinEntryReads } from '@scrip/trash-bin';
import { CampaignDeletion } from '../deletion/campaign-deletion.handlers';
import { VoucherDeletion } from '../deletion/voucher-deletion.handlers';

/** Purges what is in the bin of campaigns. */
@Injectable()
export class CampaignsBin {
  constructor(
    private readonly entries: BinEntryReads,
    private readonly campaigns: CampaignDeletion,
    private readonly vouchers: VoucherDeletion,
  ) {}

  /** Deletes a campaign or a voucher in the bin for good; the vouchers of a campaign follow. Refuses `not_found` for an entry that campaigns do not have, also one that another
   *  call purges meanwhile. Source: ADR 109. */
  async purge(context: RequestContext, id: string): Promise<{ purged: true } | Refusal<'not_found'>> {
    const entry = await this.entries.find(context, id);
    if (isRefused(entry)) return entry;
    const owner = entry.resource_type === 'campaign' ? this.campaigns : this.vouchers;
    const record = { id: entry.resource_id, bin_entry_id: id };
    const refusal = await owner.purge(context, record).catch((error: unknown) => {
      if (error instanceof StaleRow) return notFound('bin_entry', id);
      throw error;
    });
    return refusal ? notFound('bin_entry', id) : { purged: true };
  }
}
