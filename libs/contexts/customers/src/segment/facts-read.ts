import type { SegmentSnapshot } from '@scrip/contracts/customers';
import type { FilterContext } from '@scrip/metadata';
import { isRefused } from '@scrip/kernel';
import { readsPublications } from './publications.sql';
import { membersRead, type SegmentDocument, segmentFilterSql } from './segment-filter';

/** What filters read of customers. */
export interface FactsRead {
  /** Whether any of it is sealed. */
  profile: boolean;
  /** Whether any of it follows from orders and redemptions. */
  sums: boolean;
  /** Whether the conditions look at what was published for them. */
  publications: boolean;
}

const readable = new Set<keyof SegmentDocument>(['id', 'created_at', 'updated_at', 'object']);
const blocks = new Set<keyof SegmentDocument>(['summary', 'loyalty', 'referrals']);

/** What the filters of segments read: a test of many customers opens and joins no more. A filter that is refused reads nothing. */
export const factsRead = (
  segments: readonly Pick<SegmentSnapshot, 'filter'>[],
  at: FilterContext,
): FactsRead => {
  const conditions = segments.flatMap(({ filter }) => {
    const sql = segmentFilterSql(filter ?? {}, at, () => '$1');
    return isRefused(sql) ? [] : [sql];
  });
  const members = conditions.flatMap(membersRead);
  return {
    profile: members.some((member) => !readable.has(member) && !blocks.has(member)),
    sums: members.some((member) => blocks.has(member)),
    publications: conditions.some(readsPublications),
  };
};
