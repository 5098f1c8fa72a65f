import type { LogPosition } from '@scrip/event-store';
import type { Delivery } from '../feed/delivery';
import { parseTopic } from '../feed/topic-name';
import type { ReadLogOfTopic } from '../partition/waiting-events';

/** Which events to read next. */
export interface LogPage {
  after: LogPosition;
  limit: number;
  /** Only these; all without. */
  aggregates?: readonly string[];
}

/** What a page holds at most, together with its last entry: events can be large, and many are waiting after an outage. */
export const pageBytesMax = 4_000_000;

/** Entries of a log in its order. `more`: there may be others behind them that can be read now; the page was full. */
export interface LogEntries {
  entries: Delivery[];
  more: boolean;
}

/** The logs of the services that keep their event tables in one database. Source: architecture §4, §5. */
export interface LogSource {
  readonly services: readonly string[];
  /** The next readable entries of a service's log, in its order: at most `limit`, and about `pageBytesMax` of them. */
  read(service: string, page: LogPage): Promise<LogEntries>;
  /** The position of each service's last readable event, by one cheap query; without those that have none. */
  heads(): Promise<ReadonlyMap<string, LogPosition>>;
  /** Calls `listener` after each commit of this process; answers how to stop that. Others' commits show in `heads`. */
  onWake(listener: (service: string) => void): () => void;
  /** Makes an event of what `read` handed over as undecodable. */
  decode(raw: string): Promise<Delivery>;
}

/** Reads a topic from the log of its owner, where that is one of `logs`. */
export const readTopicFrom =
  (logs: LogSource): ReadLogOfTopic =>
  async (topic, page) => {
    const { service, aggregate } = parseTopic(topic);
    return (await logs.read(service, { ...page, aggregates: [aggregate] })).entries;
  };
