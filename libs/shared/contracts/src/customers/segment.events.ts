import type { Instant, Metadata } from '../snapshot';

/** Segments of customers: one stream per segment. Only segments of the type `auto-update` tell who enters and who leaves.
 *  Source: reference 07 §4. */
export type SegmentEvent =
  SegmentCreated | SegmentMembersAdded | SegmentEntered | SegmentLeft | SegmentUpdated | SegmentDeleted;

/** `static`: a fixed list; `passive`: the customers that match the filter when it is asked; `auto-update`: those
 *  that match it, kept. */
export type SegmentType = 'static' | 'passive' | 'auto-update';

/** A segment as events and answers carry it. */
export interface SegmentSnapshot {
  /** `seg_…` */
  id: string;
  name: string;
  type: SegmentType;
  /** `{junction, <field>: {conditions: {<operator>: [values]}}}`; null for a static segment. Source: reference 07 §1.5. */
  filter: Metadata | null;
  created_at: Instant;
  updated_at: Instant | null;
}

/** A segment was created. */
export interface SegmentCreated {
  type: 'SegmentCreated';
  data: { segment: SegmentSnapshot };
}

/** Customers belong to the segment without having entered it: those that it was created with. */
export interface SegmentMembersAdded {
  type: 'SegmentMembersAdded';
  data: {
    /** `seg_…` */
    segment_id: string;
    /** `cust_…`, at most 5,000 to an event. */
    customer_ids: string[];
  };
}

/** A customer began to match the filter of an auto-update segment. */
export interface SegmentEntered {
  type: 'SegmentEntered';
  data: {
    /** `seg_…` */
    segment_id: string;
    /** `cust_…` */
    customer_id: string;
  };
}

/** A customer no longer matches the filter of an auto-update segment. */
export interface SegmentLeft {
  type: 'SegmentLeft';
  data: {
    /** `seg_…` */
    segment_id: string;
    /** `cust_…` */
    customer_id: string;
  };
}

/** A segment's name or filter changed. */
export interface SegmentUpdated {
  type: 'SegmentUpdated';
  data: {
    /** `seg_…` */
    segment_id: string;
    name: string;
    filter: Metadata | null;
    updated_at: Instant;
  };
}

/** A segment was deleted. */
export interface SegmentDeleted {
  type: 'SegmentDeleted';
  data: {
    /** `seg_…` */
    segment_id: string;
  };
}
