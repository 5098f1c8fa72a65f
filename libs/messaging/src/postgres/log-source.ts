import type { LogPosition } from '@scrip/event-store';
import type { Delivery } from '../delivery';

/** Which events to read next. */
export interface LogPage {
  after: LogPosition;
  limit: number;
  /** Only these; all without. */
  aggregates?: readonly string[];
}

/** The logs of the services that keep their event tables in one database. Source: architecture §4, §5. */
export interface LogSource {
  readonly services: readonly string[];
  /** The next readable entries of a service's log, in its order; fewer than `limit` when no more are readable yet. */
  read(service: string, page: LogPage): Promise<Delivery[]>;
  /** The position of each service's last readable event, by one cheap query; without those that have none. */
  heads(): Promise<ReadonlyMap<string, LogPosition>>;
  /** Calls `listener` after each commit of this process; answers how to stop that. Others' commits show in `heads`. */
  onWake(listener: (service: string) => void): () => void;
  /** Makes an event of what `read` handed over as undecodable. */
  decode(raw: string): Promise<Delivery>;
}
