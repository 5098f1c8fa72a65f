import type { SegmentEvent, SegmentSnapshot } from '@scrip/contracts/customers';
import type { StoredEvent } from '@scrip/event-store';
import { isDeepStrictEqual } from 'node:util';
import { type EventSource, eventSourceOf } from '../activity/event-source';

/** What became of a segment. Nothing activates one yet. Source: reference 07 §4. */
export type SegmentActivityKind = 'segment.created' | 'segment.updated' | 'segment.filters_updated';

/** An activity of a segment as it is stored. */
export interface SegmentActivity {
  project_id: string;
  segment_id: string;
  /** `evseg_…` */
  id: string;
  type: SegmentActivityKind;
  created_at: string;
  group_id: string;
  source: EventSource;
  /** The segment as the event left it. */
  segment: SegmentSnapshot;
}

const activity = (
  event: StoredEvent,
  type: SegmentActivityKind,
  segment: SegmentSnapshot,
): SegmentActivity => ({
  project_id: event.projectId,
  segment_id: event.streamId,
  id: `evseg_${event.id.replaceAll('-', '')}`,
  type,
  created_at: event.recordedAt,
  group_id: event.metadata.correlation_id,
  source: eventSourceOf(event.metadata),
  segment,
});

/** What a segment's event tells of it; null: nothing that is listed. `before`: the segment as the event found it. */
export const activityOfSegmentChange = (
  event: StoredEvent,
  before: SegmentSnapshot | undefined,
): SegmentActivity | null => {
  const { type, data } = event as unknown as SegmentEvent;
  if (type === 'SegmentCreated') return activity(event, 'segment.created', data.segment);
  if (type !== 'SegmentUpdated' || !before) return null;
  const { name, filter, updated_at } = data;
  const kind = isDeepStrictEqual(filter, before.filter) ? 'segment.updated' : 'segment.filters_updated';
  return activity(event, kind, { ...before, name, filter, updated_at });
};
