import { EventTransport, type EventTransportOptions } from '../consumer/event-transport';
import { readInNewestVersion } from './owners-log';
import { KafkaEventFeed, type KafkaFeedOptions } from './kafka-event-feed';

export type KafkaTransportOptions = Omit<EventTransportOptions, 'feed' | 'mirror'> & KafkaFeedOptions;

/** The event bus of the distributed shape: events come from Kafka, positions live in PostgreSQL, dead letters go to
 *  topics of their own. Source: architecture §1, §6. */
export class KafkaEventTransport extends EventTransport {
  constructor(options: KafkaTransportOptions) {
    const feed = new KafkaEventFeed(options);
    const { readOwnersLog } = options;
    const owners = readOwnersLog
      ? { readLogOfTopic: readInNewestVersion(readOwnersLog, options.upcastersOf) }
      : {};
    super({ ...options, ...owners, feed, mirror: feed.mirror });
  }
}
