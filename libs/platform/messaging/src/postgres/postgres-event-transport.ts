import { EventTransport, type EventTransportOptions } from '../consumer/event-transport';
import { readTopicFrom } from './log-source';
import { PostgresEventFeed, type PostgresFeedOptions } from './postgres-event-feed';

export type PostgresTransportOptions = Omit<EventTransportOptions, 'feed'> & PostgresFeedOptions;

/** The event bus of the embedded shape: events come from the producers' own tables, positions live in PostgreSQL.
 *  Source: architecture §1, §6. */
export class PostgresEventTransport extends EventTransport {
  constructor(options: PostgresTransportOptions) {
    super({
      ...options,
      feed: new PostgresEventFeed(options),
      readLogOfTopic: readTopicFrom(options.logs),
    });
  }
}
