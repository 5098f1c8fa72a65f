import { isDeepStrictEqual } from 'node:util';
import type { SegmentEvent, SegmentSnapshot } from '@scrip/contracts/customers';
import { type Refusal, notFound, refuse } from '@scrip/kernel';
import type { CreateSegment, SegmentCommand, UpdateSegment } from './segment.commands';

/** Customers of a static segment, and passive and auto-update segments of a project. Source: reference 07 §16. */
export const segmentLimits = { customers: 20_000, dynamic: 100 } as const;

/** Customers that one event names: far from the limit of an event. */
const membersPerEvent = 5_000;

export interface SegmentState {
  segment: SegmentSnapshot;
  deleted: boolean;
}

/** What segments refuse with. */
export type SegmentRefusal = Refusal<
  'not_found' | 'invalid_payload' | 'invalid_query_params' | 'resource_in_use'
>;

/** Refuses an id that no segment of the project has. */
export const segmentNotFound = (id: string): SegmentRefusal => notFound('segment', id);

/** Members from the beginning, in events of bounded size. */
export const membersAdded = (segment_id: string, customerIds: readonly string[]): SegmentEvent[] =>
  Array.from({ length: Math.ceil(customerIds.length / membersPerEvent) }, (_, index) => ({
    type: 'SegmentMembersAdded',
    data: {
      segment_id,
      customer_ids: customerIds.slice(index * membersPerEvent, (index + 1) * membersPerEvent),
    },
  }));

/** Callers who send a source id, which other calls take, learn that a segment takes none. */
const unknownCustomer = (id: string): SegmentRefusal => {
  const refusal = notFound('customer', id);
  return id.startsWith('cust_')
    ? refusal
    : { ...refusal, details: `${refusal.details}: a segment takes ids (cust_…), no source ids` };
};

const create = (command: CreateSegment): SegmentEvent[] | SegmentRefusal => {
  const { id, name, segment_type, filter, customer_ids, unknown_customer_id, dynamic, now } = command;
  if (unknown_customer_id !== null) return unknownCustomer(unknown_customer_id);
  if (segment_type !== 'static' && dynamic >= segmentLimits.dynamic) {
    return refuse(
      'invalid_payload',
      `A project can have at most ${segmentLimits.dynamic} passive and auto-update segments`,
    );
  }
  const segment = { id, name, type: segment_type, filter, created_at: now, updated_at: null };
  return [{ type: 'SegmentCreated', data: { segment } }, ...membersAdded(id, customer_ids)];
};

const update = (
  { segment }: SegmentState,
  { id, name = segment.name, filter, now }: UpdateSegment,
): SegmentEvent[] | SegmentRefusal => {
  if (filter !== undefined && segment.type !== 'passive') {
    return refuse('invalid_payload', 'Property .filter can be changed in passive segments only');
  }
  const changed = { name, filter: filter ?? segment.filter };
  if (isDeepStrictEqual(changed, { name: segment.name, filter: segment.filter })) return [];
  return [{ type: 'SegmentUpdated', data: { segment_id: id, ...changed, updated_at: now } }];
};

/** What follows from a command; an empty list where it changes nothing. Deletion is final. Refuses `not_found` (segment,
 *  customer), and `invalid_payload` for more segments with a filter than a project may have and for another filter of one
 *  that is not passive. Source: reference 07 §4. */
export const decideSegment = (
  command: SegmentCommand,
  state: SegmentState | undefined,
): SegmentEvent[] | SegmentRefusal => {
  const live = state?.deleted ? undefined : state;
  switch (command.type) {
    case 'CreateSegment':
      return state ? [] : create(command);
    case 'UpdateSegment':
      return live ? update(live, command) : segmentNotFound(command.id);
    case 'DeleteSegment':
      return live
        ? [{ type: 'SegmentDeleted', data: { segment_id: command.id } }]
        : segmentNotFound(command.id);
    default:
      return command satisfies never;
  }
};

/** Folds the stream `segment`; members are rows beside it. Total: returns undefined for events before the first one, never
 *  throws or decides. */
export const evolveSegment = (
  state: SegmentState | undefined,
  event: SegmentEvent,
): SegmentState | undefined => {
  switch (event.type) {
    case 'SegmentCreated':
      return { segment: event.data.segment, deleted: false };
    case 'SegmentMembersAdded':
    case 'SegmentEntered':
    case 'SegmentLeft':
      return state;
    case 'SegmentUpdated': {
      const { name, filter, updated_at } = event.data;
      return state && { ...state, segment: { ...state.segment, name, filter, updated_at } };
    }
    case 'SegmentDeleted':
      return state && { ...state, deleted: true };
    default:
      return event satisfies never;
  }
};
