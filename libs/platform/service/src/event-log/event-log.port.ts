import type { StoredEvent } from '@scrip/event-store';
import { type Port, definePort, type CallContext } from '@scrip/kernel';
import { type ContextName, contextNames } from '@scrip/contracts/registry';

/** Events of one aggregate behind a log position (null: from the beginning), in log order. */
export interface LogQuery {
  aggregate: string;
  after: string | null;
  /** At most; a page may be shorter, and only an empty one is the end. */
  limit: number;
}

/** The event log that every service serves to others, because topics expire. Source: architecture §5. */
export interface EventLogPort {
  readLog(context: CallContext, request: LogQuery): Promise<{ events: StoredEvent[] }>;
}

/** Of each context: `campaigns.log`, and so on. */
export const eventLogPorts = Object.fromEntries(
  contextNames.map((name) => [name, definePort<EventLogPort>(`${name}.log`, ['readLog'])]),
) as Record<ContextName, Port<EventLogPort>>;
