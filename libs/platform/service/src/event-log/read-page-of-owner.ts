import type { INestApplicationContext } from '@nestjs/common';
import type { ContextName } from '@scrip/contracts/registry';
import type { LogPosition, StoredEvent } from '@scrip/event-store';
import { newRequestId } from '@scrip/kernel';
import { parseTopic } from '@scrip/messaging';
import { portToken } from '@scrip/rpc';
import { type EventLogPort, eventLogPorts } from './event-log.port';

const readPatienceMs = 10_000;

/** Reads a page of a topic's events from its owner, through the owner's port. It may be shorter than asked for; only an
 *  empty one is the end. Throws faults of the call. */
export const readPageOfOwner =
  (app: INestApplicationContext) =>
  async (topic: string, page: { after: LogPosition; limit: number }): Promise<StoredEvent[]> => {
    const { service, aggregate } = parseTopic(topic);
    const port = app.get<EventLogPort>(portToken(eventLogPorts[service as ContextName]), { strict: false });
    const call = { requestId: newRequestId(), deadlineAt: Date.now() + readPatienceMs, traceparent: null };
    return (await port.readLog(call, { aggregate, ...page })).events;
  };
