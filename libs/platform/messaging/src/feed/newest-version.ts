import type { StoredEvent } from '@scrip/event-store';
import { type Upcasters, newestSchemaVersion, upcast } from '@scrip/kernel';

/** The steps of a topic's events to their newest schema versions; undefined where there is but one. */
export type UpcastersOf = (topic: string) => Upcasters | undefined;

/** Returns the event in the newest schema version of its topic: one that was stored, published or parked by an older
 *  release is brought there, one of a newer release stays as it is. Throws what an upcaster throws. Pure. */
export const inNewestVersion = (
  event: StoredEvent,
  topic: string,
  upcastersOf: UpcastersOf | undefined,
): StoredEvent => {
  const upcasters = upcastersOf?.(topic);
  if (!upcasters) return event;
  return {
    ...event,
    schemaVersion: Math.max(event.schemaVersion, newestSchemaVersion(upcasters, event.type)),
    data: upcast(upcasters, event.type, event.schemaVersion, event.data as Record<string, unknown>),
  };
};
