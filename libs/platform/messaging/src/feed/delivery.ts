import type { LogPosition, StoredEvent } from '@scrip/event-store';

/** What arrived and is no event: it is parked at once, and decoded again when it is replayed. */
export interface Undecodable {
  readonly undecodable: true;
  /** Absent when even that could not be read. */
  readonly aggregate?: string;
  /** The key, as far as it could be read; successors under the same key wait behind it. */
  readonly key: string;
  /** Null when even that could not be read: then no position moves, `key` must name the entry itself (its offset),
   *  and the entry is dropped when it comes again while it is parked. */
  readonly position: LogPosition | null;
  /** What arrived, in the adapter's own notation, from which its `decode` may once make an event. */
  readonly raw: string;
  readonly error: string;
}

/** One entry of a topic, as an adapter hands it over. */
export type Delivery = StoredEvent | Undecodable;

export const isUndecodable = (delivery: Delivery): delivery is Undecodable => 'undecodable' in delivery;

/** What is ordered, parked and replayed together: one stream. Source: reference 06 §9.1. */
export const keyOf = (delivery: Delivery): string =>
  isUndecodable(delivery) ? delivery.key : `${delivery.projectId}|${delivery.streamId}`;

/** Makes an event of what was parked as undecodable; throws as long as it is not one. */
export type Decode = (raw: string) => Promise<StoredEvent> | StoredEvent;
