import type { StoredEvent } from '@scrip/event-store';
import { isUndecodable } from './delivery';
import type { EventFeed } from './event-feed';
import { eventOfMessage, messageOfNotation } from '../kafka/kafka-message';
import type { LogSource } from '../postgres/log-source';

const isMessage = (raw: string): boolean => 'headers' in (JSON.parse(raw) as object);

/** An adapter that fetches nothing: for commands over consumers, beside the processes that consume. It reads again what
 *  any adapter set aside. */
export class NullEventFeed implements EventFeed {
  constructor(private readonly logs: LogSource) {}

  async start(): Promise<void> {}

  stopFetching(): void {}

  async close(): Promise<void> {}

  /** It sees nothing. */
  lagOf(): undefined {
    return undefined;
  }

  async decode(raw: string): Promise<StoredEvent> {
    if (isMessage(raw)) return eventOfMessage(messageOfNotation(raw));
    const entry = await this.logs.decode(raw);
    if (isUndecodable(entry)) throw new Error(entry.error);
    return entry;
  }
}
