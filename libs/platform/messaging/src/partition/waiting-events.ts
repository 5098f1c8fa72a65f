import { type LogPosition } from '@scrip/event-store';
import { type Delivery, isUndecodable, keyOf } from '../feed/delivery';
import type { Lag } from '../feed/event-feed';
import { partitionOfKey } from '../kafka/partitioning';
import type { PartitionOfGroup } from './partition-position';

/** The next entries of a topic's owner behind a position, in log order; only an empty page is the end. */
export type ReadLogOfTopic = (
  topic: string,
  page: { after: LogPosition; limit: number },
) => Promise<readonly Delivery[]>;

/** A reader, how far it is by its stored position, and how many partitions its topic has. */
export interface StoredPlace extends PartitionOfGroup {
  position: LogPosition;
  partitions: number;
}

/** Entries that are read at one look: what waits behind them is counted by the next ones. */
const pageSize = 500;
/** Nothing is counted beyond. */
const countMax = 10_000;

interface Counted {
  position: LogPosition;
  /** The owner's log was read up to here. */
  to: LogPosition;
  lag: Lag;
}

const placeOf = ({ group, topic, partition }: PartitionOfGroup): string => `${group} ${topic} ${partition}`;

/** Counts what waits for readers in the logs of their topics' owners, where no adapter can tell: the broker is away,
 *  reads fail, or another process consumes. Each look reads one page behind the last one. */
export class WaitingEvents {
  private readonly counted = new Map<string, Counted>();
  private readonly looking = new Map<string, Promise<Lag>>();

  constructor(private readonly read: ReadLogOfTopic) {}

  /** Returns the events that wait behind the place, as far as they are counted. Throws what `read` throws. */
  behind(place: StoredPlace): Promise<Lag> {
    const name = placeOf(place);
    const look =
      this.looking.get(name) ?? this.look(name, place).finally(() => void this.looking.delete(name));
    this.looking.set(name, look);
    return look;
  }

  private async look(name: string, { topic, partition, partitions, position }: StoredPlace): Promise<Lag> {
    const before = this.counted.get(name);
    const known =
      before?.position === position
        ? before
        : { position, to: position, lag: { events: 0, oldestRecordedAt: null } };
    if (known.lag.events >= countMax) return known.lag;
    const page = await this.read(topic, { after: known.to, limit: pageSize });
    const mine = page.filter((entry) => partitionOfKey(keyOf(entry), partitions) === partition);
    const dated = mine.find((entry) => !isUndecodable(entry));
    const lag = {
      events: known.lag.events + mine.length,
      oldestRecordedAt:
        known.lag.oldestRecordedAt ?? (dated && !isUndecodable(dated) ? dated.recordedAt : null),
    };
    const to = page.findLast((entry) => entry.position !== null)?.position ?? known.to;
    this.counted.set(name, { position, to, lag });
    return lag;
  }
}
