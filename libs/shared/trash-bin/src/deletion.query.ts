import { IsFlag } from '@scrip/edge';
import type { IdSource } from '@scrip/kernel';
import { IsOptional } from 'class-validator';

/** Query of a DELETE: into the bin, or for good. Source: reference 07 §13. */
export class DeletionQuery {
  @IsOptional() @IsFlag() force = false;
}

/** Where a deletion leaves a record. */
export interface Deletion {
  /** The id of its entry in the bin; null: it is deleted for good. */
  bin_entry_id: string | null;
}

/** What the query of a deletion asks for. */
export const deletionOf = ({ force }: DeletionQuery, ids: IdSource): Deletion => ({
  bin_entry_id: force ? null : ids.next('tbe_', 'bin_entry'),
});
