import type { SegmentType } from '@scrip/contracts/customers';
import type { Metadata } from '@scrip/contracts/snapshot';
import { refuse } from '@scrip/kernel';
import type { FilterContext } from '@scrip/metadata';
import { storedFilter } from '@scrip/list-query';
import type { SegmentRefusal } from './segment.decider';
import type { CreateSegmentBody } from './segment.dto';
import { filterMustFit } from './segment-filter';

/** What a caller wants of a new segment. */
export interface NewSegment {
  name: string;
  segment_type: SegmentType;
  filter: Metadata | null;
  customer_ids: readonly string[];
}

const missing = (property: string): SegmentRefusal =>
  refuse('invalid_payload', `Payload must have required property '${property}'`);

/** Without a type a list of customers makes it static, anything else passive. Refuses a static segment without customers
 * , another one without a filter, and a filter that does not fit. Source: reference 07 §4. */
export const newSegment = (
  { name, type, customers, filter }: CreateSegmentBody,
  at: FilterContext,
): NewSegment | SegmentRefusal => {
  const segment_type = type ?? (customers && !filter ? 'static' : 'passive');
  if (segment_type === 'static') {
    if (!customers) return missing('customers');
    return { name, segment_type, filter: null, customer_ids: [...new Set(customers)] };
  }
  if (!filter) return missing('filter');
  const refusal = filterMustFit(filter, at);
  return refusal ?? { name, segment_type, filter: storedFilter(filter), customer_ids: [] };
};
