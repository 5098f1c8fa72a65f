import type { Provider } from '@nestjs/common';
import { type EventStore, type StoredEvent, eventStoreToken } from '@scrip/event-store';
import { servedPortToken } from '@scrip/rpc';
import type { ContextName } from '@scrip/contracts/registry';
import { type EventLogPort, eventLogPorts } from './event-log.port';

/** An answer stays below the limit of a call between services, 1 MB, together with its envelope. */
const pageBytesMax = 600_000;

/** As many of the events, from the first, as fit into a page; one in any case: events are bounded themselves. */
const fitting = (events: StoredEvent[]): StoredEvent[] => {
  let bytes = 0;
  const end = events.findIndex((event) => (bytes += Buffer.byteLength(JSON.stringify(event))) > pageBytesMax);
  return end < 0 ? events : events.slice(0, Math.max(1, end));
};

/** Serves the log of one event store. */
export const eventLogOf = (store: Pick<EventStore, 'readLog'>): EventLogPort => ({
  readLog: async (_, { aggregate, after, limit }) => ({
    events: fitting(await store.readLog({ aggregates: [aggregate], after, limit, maxBytes: pageBytesMax })),
  }),
});

/** Serves the log of a context in this process. */
export const serveEventLog = (name: ContextName): Provider => ({
  provide: servedPortToken(eventLogPorts[name]),
  inject: [eventStoreToken(name)],
  useFactory: eventLogOf,
});
