import type { EventBatch } from '../feed/event-batch';

/** Where a group begins that has no position yet: at the oldest event, or behind the newest readable one. */
export type StartingPosition = 'beginning' | 'now';

/** One handler's subscription: a group and a topic. Each has its own position per partition. */
export interface Consumer {
  readonly group: string;
  readonly topic: string;
  /** The context whose schema holds the group's position and tables: the part of the group before the first dot. */
  readonly context: string;
  readonly from: StartingPosition;
  /** Tables of the context that this group alone fills. Present where the group may be rebuilt. */
  readonly fills?: readonly string[];
  handle(batch: EventBatch): Promise<void>;
}

/** `webhooks.fan-out` belongs to the context `webhooks`. Throws `TypeError` on a group that names no context. */
export const contextOfGroup = (group: string): string => {
  const [, context] = /^([a-z-]+)\.[a-z0-9.-]+$/.exec(group) ?? [];
  if (!context) throw new TypeError(`not a consumer group: ${group} (expected "context.name")`);
  return context;
};
