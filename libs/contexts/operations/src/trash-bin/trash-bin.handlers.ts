import { Injectable } from '@nestjs/common';
import { type CampaignsPort, campaignsPort } from '@scrip/contracts/campaigns';
import { type CatalogPort, catalogPort } from '@scrip/contracts/catalog';
import type { BinEntriesWanted, BinEntry, TrashBinPort } from '@scrip/contracts/operations';
import { isRefused, notFound, type Refusal, type RequestContext } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import { firstEntries } from './first-entries';

/** The bins of all contexts as one. Source: ADR 109. */
@Injectable()
export class TrashBin {
  private readonly owners: readonly TrashBinPort[];

  constructor(
    @InjectPort(catalogPort) catalog: CatalogPort,
    @InjectPort(campaignsPort) campaigns: CampaignsPort,
  ) {
    this.owners = [catalog, campaigns];
  }

  /** Returns the next entries, at most `limit`: those that come first of what each owner has. Refuses filters that do not
   *  fit. */
  async list(
    context: RequestContext,
    wanted: BinEntriesWanted,
  ): Promise<BinEntry[] | Refusal<'invalid_query_params'>> {
    const lists: BinEntry[][] = [];
    for (const list of await Promise.all(
      this.owners.map((owner) => owner.listBinEntries(context, { wanted })),
    )) {
      if (isRefused(list)) return list;
      lists.push(list);
    }
    return firstEntries(lists, wanted);
  }

  /** Deletes the record of an entry for good. Refuses `not_found`. */
  async purge(context: RequestContext, id: string): Promise<Refusal<'not_found'> | null> {
    for (const owner of this.owners) {
      if (!isRefused(await owner.purgeBinEntry(context, { id }))) return null;
    }
    return notFound('bin_entry', id);
  }
}
