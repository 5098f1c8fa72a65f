import type { Refusal, RequestContext } from '@scrip/kernel';
import type { Instant } from '../snapshot';

/** Kinds of records that a deletion puts into the bin. Source: reference 07 §13. */
export const binnedTypes = ['campaign', 'product', 'sku', 'voucher'] as const;

export type BinnedType = (typeof binnedTypes)[number];

/** What the list of the bin can be filtered by. Source: reference 07 §1.5. */
export const binEntryFields = ['id', 'resource_type', 'resource_name', 'resource_id'] as const;

export type BinEntryField = (typeof binEntryFields)[number];

/** A deleted record whose identifiers stay taken. What lies below it has no entry of its own, unless it was deleted before.
 *  Source: reference 07 §13. */
export interface BinEntry {
  id: string;
  /** When the record was deleted, business time. */
  created_at: Instant;
  /** Null: it was deleted with a key. */
  deleted_by_user_id: string | null;
  resource_id: string;
  resource_type: BinnedType;
  /** Name or code; of a record without one its source id, else its id. */
  resource_name: string;
  /** The product of a SKU, the campaign of a voucher; else null. */
  resource_parent_id: string | null;
}

/** Which entries are wanted, in which order. */
export interface BinEntriesWanted {
  limit: number;
  order: 'id' | '-id';
  /** Entries behind this id; null: from the beginning. */
  after: string | null;
  /** Fields joined by `junction`; of each the values by operator. Null: all. */
  filters: { junction: 'and' | 'or'; fields: Record<string, Record<string, readonly unknown[]>> } | null;
}

/** What operations ask of a context whose records go to the bin. Source: ADR 109. */
export interface TrashBinPort {
  /** Returns the next entries of the project, by id, at most `limit`. Refuses filters whose operators or values do not fit
   *  their field. */
  listBinEntries(
    context: RequestContext,
    request: { wanted: BinEntriesWanted },
  ): Promise<BinEntry[] | Refusal<'invalid_query_params'>>;

  /** Deletes the record of an entry for good, and what lies below it, with their entries: in one transaction. Refuses
   *  `not_found` for an entry that the context does not have. */
  purgeBinEntry(
    context: RequestContext,
    request: { id: string },
  ): Promise<{ purged: true } | Refusal<'not_found'>>;
}

/** The methods of `TrashBinPort`, for the port of an owner. */
export const trashBinMethods = ['listBinEntries', 'purgeBinEntry'] as const;
