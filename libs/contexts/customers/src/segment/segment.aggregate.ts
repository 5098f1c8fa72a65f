import type { SegmentEvent } from '@scrip/contracts/customers';
import type { AggregateDefinition } from '@scrip/event-store';
import { evolveSegment, type SegmentState } from './segment.decider';

/** Stream `segment`; table `segments`. */
export const segmentAggregate: AggregateDefinition<SegmentState, SegmentEvent> = {
  aggregate: 'segment',
  table: 'segments',
  evolve: evolveSegment,
  columns: {
    name: { type: 'text', of: ({ segment }) => segment.name },
    type: { type: 'text', of: ({ segment }) => segment.type },
    deleted: { type: 'boolean', of: ({ deleted }) => deleted },
    created_at: { type: 'timestamptz', of: ({ segment }) => segment.created_at },
  },
};
