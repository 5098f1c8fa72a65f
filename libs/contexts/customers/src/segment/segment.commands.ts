import type { SegmentType } from '@scrip/contracts/customers';
import type { Metadata } from '@scrip/contracts/snapshot';

/** What can be asked of a segment. `now`: when it is decided, ISO. */
export type SegmentCommand = CreateSegment | UpdateSegment | DeleteSegment;

export interface CreateSegment {
  type: 'CreateSegment';
  id: string;
  name: string;
  segment_type: SegmentType;
  /** Null for a static segment. */
  filter: Metadata | null;
  /** Members of a static segment, each once. */
  customer_ids: readonly string[];
  /** The first of them that no customer has. */
  unknown_customer_id: string | null;
  /** The project's segments with a filter. */
  dynamic: number;
  now: string;
}

/** Absent fields stay. */
export interface UpdateSegment {
  type: 'UpdateSegment';
  id: string;
  name?: string;
  filter?: Metadata;
  now: string;
}

export interface DeleteSegment {
  type: 'DeleteSegment';
  id: string;
}
