import type { StoredEvent } from '@scrip/event-store';
import type { EntityManager } from 'typeorm';

/** A set of events of one topic, as a consumer's handler receives it: in log order, at most 500, none of them
 *  applied before. Source: architecture §5. */
export interface EventBatch {
  readonly topic: string;
  readonly group: string;
  readonly events: readonly StoredEvent[];
  /** The events were parked and are tried again. */
  readonly replayed: boolean;
  /** Runs `work` in one transaction with the consumer's position: both are stored, or neither. At most once per
   *  batch; a handler that never calls it has no effect to store, and the position moves when it returns. The
   *  transaction must stay short: prepare, and call other contexts, before. Throws what `work` throws, and
   *  `StaleBatch` when the events were applied elsewhere meanwhile. */
  commit(work: (manager: EntityManager) => Promise<void>): Promise<void>;
}

/** The position was not where the batch was read: its events were applied, parked or rewound meanwhile. Nothing was
 *  written; the transport reads the position again, so handlers let it pass. */
export class StaleBatch extends Error {
  override readonly name = 'StaleBatch';
}
