import { isDeepStrictEqual } from 'node:util';
import type { AggregateDefinition } from './aggregate';
import type { EventData } from './event';

/** An event that holds the whole state, and its version. */
export interface Snapshot<Event extends EventData> {
  event: Event;
  version: number;
}

type Definition<State, Event extends EventData> = Pick<
  AggregateDefinition<State, Event>,
  'evolve' | 'snapshotEvents'
>;

/** The last event of a commit that holds the whole state, as far as its events are known: `event` or the one before. */
export const lastSnapshot = <State, Event extends EventData>(
  { snapshotEvents }: Definition<State, Event>,
  before: Snapshot<Event> | undefined,
  { event, version }: Snapshot<Event>,
): Snapshot<Event> | undefined => (snapshotEvents?.includes(event.type) ? { event, version } : before);

/** The version of the event that a row names instead of holding `state`; null where the event says something else, and
 *  the row has to hold it. */
export const snapshotVersion = <State, Event extends EventData>(
  { evolve }: Definition<State, Event>,
  snapshot: Snapshot<Event> | undefined,
  state: State | undefined,
): number | null =>
  snapshot && isDeepStrictEqual(evolve(undefined, snapshot.event), state) ? snapshot.version : null;
