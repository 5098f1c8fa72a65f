import type { SegmentSnapshot } from '@scrip/contracts/customers';
import type { EventSource } from '../activity/event-source';
import { renderSegment, type SegmentResponse } from '../segment/segment.wire';
import type { SegmentActivityKind } from './segment-activity';

/** What became of a segment. Source: reference 07 §4. */
export interface SegmentActivityResponse {
  /** `evseg_…` */
  id: string;
  type: SegmentActivityKind;
  data: {
    /** The segment as it was then. */
    data: { segment: SegmentResponse };
    event_source: EventSource;
  };
  created_at: string;
  /** Entries of one request have the same. */
  group_id: string;
}

/** A row of the list. */
export interface SegmentActivityRow {
  id: string;
  type: SegmentActivityKind;
  created_at: Date;
  group_id: string;
  source: EventSource;
  segment: SegmentSnapshot;
}

export const renderSegmentActivity = ({
  id,
  type,
  created_at,
  group_id,
  source,
  segment,
}: SegmentActivityRow): SegmentActivityResponse => ({
  id,
  type,
  data: { data: { segment: renderSegment(segment) }, event_source: source },
  created_at: created_at.toISOString(),
  group_id,
});
