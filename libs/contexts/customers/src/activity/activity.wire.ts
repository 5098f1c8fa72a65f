import type { Instant, Metadata } from '@scrip/contracts/snapshot';
import type { EventSource } from './event-source';
import type { ActivityKind } from './activity-kinds';

/** An entry of a customer's activity. Source: reference 06 §8. */
export interface ActivityResponse {
  /** `evcus_…` */
  id: string;
  type: ActivityKind;
  data: {
    /** What it is about; the members depend on the type. */
    data: Metadata;
    event_source: EventSource;
  };
  created_at: Instant;
  /** Entries of one request have the same. */
  group_id: string;
}

/** An entry of the deprecated list, which counts all that match. */
export interface CountedActivityResponse extends ActivityResponse {}
