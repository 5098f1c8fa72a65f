import { type Refusal, isRefused } from '@scrip/kernel';
import type { EventStore } from '@scrip/event-store';
import type { ConsumerStatus, EventTransport } from '@scrip/messaging';
import type { OpenConsumers } from '@scrip/service';

/** Thrown for a wrong command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The result of a command. `isDone` false: something still waits, or was refused. */
export interface CommandEnd {
  lines: string[];
  isDone: boolean;
}

/** The dependencies of commands. */
export interface Subject {
  consumers: Consumers;
  eventStores: ReadonlyMap<string, Pick<EventStore, 'raiseEpoch'>>;
  rewindRelay: OpenConsumers['rewindRelay'];
}

type Consumers = Pick<EventTransport, 'consumerStatus' | 'replayParked' | 'rebuild'>;

/** What waits is counted further by each look, up to ten thousand. */
const looksMax = 25;

const waitingOf = (readers: readonly ConsumerStatus[]): number =>
  readers.reduce((sum, { lagEvents }) => sum + (lagEvents ?? 0), 0);

const counted = async (consumers: Consumers): Promise<ConsumerStatus[]> => {
  let readers = await consumers.consumerStatus();
  for (let looks = 1, before = 0; looks < looksMax && waitingOf(readers) > before; looks += 1) {
    before = waitingOf(readers);
    readers = await consumers.consumerStatus();
  }
  return readers;
};

const lagOf = ({ lagEvents, lagSeconds }: ConsumerStatus): string => {
  if (lagEvents === null || lagSeconds === null) return 'lag unknown';
  return lagEvents === 0 ? 'no lag' : `lag ${lagEvents} events, ${Math.round(lagSeconds)} s`;
};

const status = async (consumers: Consumers): Promise<CommandEnd> => {
  const readers = await counted(consumers);
  return {
    lines: readers.map((reader) => {
      const { group, topic, partition, position, parkedKeys, parkedEvents } = reader;
      return [
        `${group}  ${topic}  partition ${partition}  at ${position}  ${lagOf(reader)}`,
        parkedKeys > 0 ? `  ${parkedKeys} keys parked with ${parkedEvents} events` : '',
      ].join('');
    }),
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

const whyNotRebuilt = ({ refused, details }: Refusal): string => {
  if (refused === 'consumer_group_not_found') return 'there is no such group';
  if (refused === 'consumer_group_not_rebuildable') return 'its effects cannot be taken back';
  if (refused === 'consumer_group_rebuilding') return 'another rebuild of it is under way';
  return details ?? refused;
};

const rebuild = async (consumers: Consumers, group: string): Promise<CommandEnd> => {
  const rebuilt = await consumers.rebuild(group);
  if (isRefused(rebuilt))
    return { lines: [`${group} is not rebuilt: ${whyNotRebuilt(rebuilt)}`], isDone: false };
  const { events, topics } = rebuilt;
  return { lines: [`${group} is rebuilt from ${events} events of ${topics.join(', ')}`], isDone: true };
};

const raiseEpoch = async (eventStores: Subject['eventStores']): Promise<CommandEnd> => {
  const lines: string[] = [];
  for (const [name, store] of eventStores) lines.push(`${name}: epoch ${await store.raiseEpoch()}`);
  return { lines, isDone: true };
};

const relayRewind = async (
  { eventStores, rewindRelay }: Subject,
  service: string,
  since: string,
): Promise<CommandEnd> => {
  if (!eventStores.has(service)) throw new UsageError(`there is no service ${service}`);
  const instant = since === 'beginning' ? null : new Date(since);
  if (instant && Number.isNaN(instant.getTime())) throw new UsageError(`not an instant: ${since}`);
  const moved = await rewindRelay(service, instant?.toISOString() ?? null);
  if (isRefused(moved)) return { lines: [`${service} has no relay here: it never published`], isDone: false };
  if (moved.from === moved.to)
    return { lines: [`${service} is at ${moved.from}: nothing to go back to`], isDone: true };
  return { lines: [`${service} publishes again from ${moved.to}; it was at ${moved.from}`], isDone: true };
};

/** Runs `status`, `replay <group>`, `rebuild <group>`, `raise-epoch` or `relay-rewind <service> --since <instant>`. Throws
 *  `UsageError` for anything else. */
export const runCommand = async (
  subject: Subject,
  [command, group, ...rest]: readonly string[],
  { since, ...which }: { topic?: string; key?: string; since?: string },
): Promise<CommandEnd> => {
  const { consumers, eventStores } = subject;
  if (command === 'relay-rewind' && group !== undefined && since !== undefined && rest.length === 0)
    return relayRewind(subject, group, since);
  if (command === 'raise-epoch' && group === undefined) return raiseEpoch(eventStores);
  if (command === 'status' && group === undefined) return status(consumers);
  if (command === 'replay' && group !== undefined && rest.length === 0)
    return replay(consumers, { group, ...which });
  if (command === 'rebuild' && group !== undefined && rest.length === 0) return rebuild(consumers, group);
  throw new UsageError(
    'npm run messaging -- status | replay <group> [--topic <topic>] [--key <key>] | rebuild <group> | raise-epoch' +
      ' | relay-rewind <service> --since <instant, or beginning>',
  );
};
