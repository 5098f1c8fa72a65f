import { isRefused } from '@scrip/kernel';
import type { EventStore } from '@scrip/event-store';
import type { EventTransport } from '@scrip/messaging';

/** A wrong command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What a command came to. `isDone` false: something still waits, or was refused. */
export interface CommandEnd {
  lines: string[];
  isDone: boolean;
}

/** What commands work on. */
export interface Subject {
  consumers: Consumers;
  eventStores: ReadonlyMap<string, Pick<EventStore, 'raiseEpoch'>>;
}

type Consumers = Pick<EventTransport, 'consumerStatus' | 'replayParked' | 'rebuild'>;

const status = async (consumers: Consumers): Promise<CommandEnd> => {
  const readers = await consumers.consumerStatus();
  return {
    lines: readers.map(({ group, topic, partition, position, parkedKeys, parkedEvents }) =>
      [
        `${group}  ${topic}  partition ${partition}  at ${position}`,
        parkedKeys > 0 ? `  ${parkedKeys} keys parked with ${parkedEvents} events` : '',
      ].join(''),
    ),
    isDone: true,
  };
};

const replay = async (
  consumers: Consumers,
  which: { group: string; topic?: string; key?: string },
): Promise<CommandEnd> => {
  const replayed = await consumers.replayParked(which);
  if (isRefused(replayed)) return { lines: [`no consumer group ${which.group}`], isDone: false };
  const lines = replayed.map(({ topic, partition, key, applied, error }) => {
    const end = error === undefined ? '' : `, then failed: ${error}`;
    return `${topic}  partition ${partition}  ${key}: ${applied} applied${end}`;
  });
  return {
    lines: lines.length > 0 ? lines : ['nothing is parked'],
    isDone: replayed.every(({ error }) => error === undefined),
  };
};

const rebuild = async (consumers: Consumers, group: string): Promise<CommandEnd> => {
  const rebuilt = await consumers.rebuild(group);
  if (isRefused(rebuilt)) {
    const why =
      rebuilt.refused === 'consumer_group_not_found'
        ? 'there is no such group'
        : 'its effects cannot be taken back';
    return { lines: [`${group} is not rebuilt: ${why}`], isDone: false };
  }
  return { lines: [`${group} reads again from the beginning: ${rebuilt.topics.join(', ')}`], isDone: true };
};

const raiseEpoch = async (eventStores: Subject['eventStores']): Promise<CommandEnd> => {
  const lines: string[] = [];
  for (const [name, store] of eventStores) lines.push(`${name}: epoch ${await store.raiseEpoch()}`);
  return { lines, isDone: true };
};

/** Runs `status`, `replay <group>`, `rebuild <group>` or `raise-epoch`. Throws `UsageError` for anything else. */
export const runCommand = async (
  { consumers, eventStores }: Subject,
  [command, group, ...rest]: readonly string[],
  which: { topic?: string; key?: string },
): Promise<CommandEnd> => {
  if (command === 'raise-epoch' && group === undefined) return raiseEpoch(eventStores);
  if (command === 'status' && group === undefined) return status(consumers);
  if (command === 'replay' && group !== undefined && rest.length === 0)
    return replay(consumers, { group, ...which });
  if (command === 'rebuild' && group !== undefined && rest.length === 0) return rebuild(consumers, group);
  throw new UsageError(
    'npm run messaging -- status | replay <group> [--topic <topic>] [--key <key>] | rebuild <group> | raise-epoch',
  );
};
