import { Injectable } from '@nestjs/common';
import type { BinEntry } from '@scrip/contracts/operations';
import { StaleRow } from '@scrip/event-store';
import { isRefused, notFound, type Refusal, type RequestContext } from '@scrip/kernel';
import { BinEntryReads } from '@scrip/trash-bin';
import type { CatalogRefusal } from '../catalog.refusals';
import { ProductHandlers } from '../product/product.handlers';
import { SkuHandlers } from '../sku/sku.handlers';

type BinnedRecord = Pick<BinEntry, 'id' | 'resource_id' | 'resource_parent_id'>;

/** Purges what is in the bin of the catalog. */
@Injectable()
export class CatalogBin {
  constructor(
    private readonly entries: BinEntryReads,
    private readonly products: ProductHandlers,
    private readonly skus: SkuHandlers,
  ) {}

  /** Deletes a product or a SKU in the bin for good, under the lock of the product. Refuses `not_found` for an entry that the
   *  catalog does not have, also one that another call purges meanwhile. Source: ADR 109. */
  async purge(context: RequestContext, id: string): Promise<{ purged: true } | Refusal<'not_found'>> {
    const entry = await this.entries.find(context, id);
    if (isRefused(entry)) return entry;
    const refusal = await this.purgeRecord(context, entry).catch((error: unknown) => {
      // The record was purged, created and deleted once more since: that is another entry.
      if (error instanceof StaleRow) return notFound('bin_entry', id);
      throw error;
    });
    return refusal ? notFound('bin_entry', id) : { purged: true };
  }

  private purgeRecord(
    context: RequestContext,
    { id: bin_entry_id, resource_id: id, resource_parent_id: product_id }: BinnedRecord,
  ): Promise<CatalogRefusal | null> {
    return product_id === null
      ? this.products.purge(context, { id, bin_entry_id })
      : this.skus.purge(context, { id, product_id, bin_entry_id });
  }
}
